export function percentile(sorted: readonly number[], percent: number): number | null {
  const at = Math.ceil((sorted.length * percent) / 100) - 1;
  return sorted[Math.max(0, at)] ?? null;
}
