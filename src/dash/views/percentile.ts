/** The smallest of some numbers, ascending, that a share of them do not exceed; null without numbers. */
export function percentile(sorted: readonly number[], percent: number): number | null {
  const at = Math.ceil((sorted.length * percent) / 100) - 1;
  return sorted[Math.max(0, at)] ?? null;
}
