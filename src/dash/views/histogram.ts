import type { HistogramRow, ViewRows } from "../view.ts";

export function histogramOf(tokens: readonly number[]): ViewRows<HistogramRow> {
  const classes = new Map<number, number>();
  for (const one of tokens) {
    const power = Math.floor(Math.log2(Math.max(1, one)));
    classes.set(power, (classes.get(power) ?? 0) + 1);
  }
  const highest = Math.max(-1, ...classes.keys());
  const lowest = Math.min(highest, ...classes.keys());
  const rows = Array.from({ length: highest - lowest + (highest < 0 ? 0 : 1) }, (_, at) => {
    const power = lowest + at;
    const [from, to] = [2 ** power, 2 ** (power + 1) - 1];
    return [String(from), { from, to, calls: classes.get(power) ?? 0 }] as const;
  });
  return Object.fromEntries(rows);
}
