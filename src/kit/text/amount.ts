const exponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6 };

export function parseAmount(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // As one literal: 1.1 * 1e6 is not a whole number, 1.1e6 is.
  const amount = Number(`${digits}e${exponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const unitMs: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

export function parseAge(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitMs[unit] ?? 0);
}

const byteExponents: { readonly [suffix: string]: number } = { "": 0, k: 3, m: 6, g: 9, t: 12 };

export function parseByteSize(text: string): number | undefined {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kmgt]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // As one literal: 1.1 * 1e6 is not a whole number, 1.1e6 is.
  const bytes = Number(`${digits}e${byteExponents[suffix.toLowerCase()]}`);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
