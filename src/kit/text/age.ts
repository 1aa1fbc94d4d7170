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
