const bars = "▁▂▃▄▅▆▇█";

/** Numbers as bars of one character each, the largest as high as a line; empty when all are 0. */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(0, ...numbers);
  if (most === 0) return "";
  const last = bars.length - 1;
  // Only 0 has the lowest bar.
  return numbers.map((number) => bars[Math.ceil((number / most) * last)] ?? "").join("");
}
