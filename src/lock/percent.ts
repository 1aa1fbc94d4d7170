/** Two digits; 0 of nothing. */
export function percentOf(tokens: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((tokens / whole) * 10_000) / 100;
}
