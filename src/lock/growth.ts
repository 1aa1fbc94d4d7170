/** Growth that passes: a share of 0…1 of the recorded tokens, or tokens. */
export type Growth = { readonly share: number } | { readonly tokens: number };

/** Most tokens that may stand where `recordedTokens` were recorded; a share is rounded down. */
export function allowedTokens(recordedTokens: number, growth: Growth): number {
  const more = "share" in growth ? Math.floor(recordedTokens * growth.share) : growth.tokens;
  return recordedTokens + more;
}
