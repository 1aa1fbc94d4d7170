/** A share of 0…1, or tokens. */
export type Growth = { readonly share: number } | { readonly tokens: number };

/** A share is rounded down. */
export function allowedTokens(recordedTokens: number, growth: Growth): number {
  const more = "share" in growth ? Math.floor(recordedTokens * growth.share) : growth.tokens;
  return recordedTokens + more;
}
