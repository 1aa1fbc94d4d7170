/** A moment and what was read then, such as minutes and megabytes. */
export type Point = {
  readonly x: number;
  readonly y: number;
};

/** The middle of the samples; the mean of the middle two when their number is even; NaN of none. */
export function median(samples: readonly number[]): number {
  const sorted = ascending(samples);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Nearest rank: the smallest sample that `percent` (0–100) of them do not exceed; NaN of none. */
export function percentile(samples: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * samples.length);
  return ascending(samples)[Math.max(rank, 1) - 1] ?? Number.NaN;
}

/** Least squares: how much `y` grows per unit of `x`; 0 when all points share one `x`, or there are none. */
export function slope(points: readonly Point[]): number {
  const meanX = mean(points.map((point) => point.x));
  const meanY = mean(points.map((point) => point.y));
  let covariance = 0;
  let variance = 0;
  for (const { x, y } of points) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function ascending(samples: readonly number[]): Float64Array {
  return Float64Array.from(samples).toSorted();
}
