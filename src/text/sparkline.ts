const bars = "▁▂▃▄▅▆▇█";

export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(0, ...numbers);
  if (most === 0) return "";
  const last = bars.length - 1;
  // Only 0 has the lowest bar.
  return numbers.map((number) => bars[Math.ceil((number / most) * last)] ?? "").join("");
}
