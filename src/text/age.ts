const unitMs: { readonly [unit: string]: number } = {
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** A time as users write it, in milliseconds: `24h`, `90d`, `4w`; undefined for anything else. */
export function parseAge(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const ms = Number(digits) * (unitMs[unit] ?? 0);
  return digits === undefined || ms === 0 ? undefined : ms;
}
