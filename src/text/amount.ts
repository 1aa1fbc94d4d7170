const scales: { readonly [suffix: string]: number } = { "": 1, k: 1e3, m: 1e6 };

/** A whole amount as users write it: `2000`, `20k`, `1.5M`; undefined for anything else. */
export function parseAmount(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const amount = Number(digits) * (scales[suffix.toLowerCase()] ?? 1);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
