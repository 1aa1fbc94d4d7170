const steps = [1, 2, 5, 10];

/** Round values from 0 up to the first that is not below `highest`, about `count` of them; `[0, 1]` of nothing. */
export function ticks(highest: number, count: number): readonly number[] {
  if (!(highest > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(highest / count));
  const step = power * (steps.find((one) => one * power * count >= highest) ?? 10);
  const last = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: last + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** The powers of ten around `[lowest, highest]`. Both are above 0. */
export function decades(lowest: number, highest: number): readonly number[] {
  const from = Math.floor(Math.log10(lowest) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(highest) - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
}
