const exponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6, g: 9, t: 12 };

export function parseByteSize(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kmgt]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // As one literal: 1.1 * 1e6 is not a whole number, 1.1e6 is.
  const bytes = Number(`${digits}e${exponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
