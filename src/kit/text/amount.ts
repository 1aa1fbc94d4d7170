const exponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6 };

export function parseAmount(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // As one literal: 1.1 * 1e6 is not a whole number, 1.1e6 is.
  const amount = Number(`${digits}e${exponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
