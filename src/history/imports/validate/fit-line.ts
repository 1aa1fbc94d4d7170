import { median } from "./quantile.ts";

// Two thousand steps make two million pairs, sorted in half a second.
export const fittedPointsMax = 2_000;

export type Point = { readonly estimated: number; readonly native: number };

/** native = offset + scale × estimated. */
export type FittedLine = { readonly offset: number; readonly scale: number };

/**
 * Theil–Sen: the median of the slopes of all pairs, then the median of the rests, so that a third of the points may
 * lie anywhere. Undefined when no two points have different estimates. Beyond the limit, evenly spaced points are
 * fitted, because pairs grow with the square.
 */
export function fitLine(points: readonly Point[]): FittedLine | undefined {
  const chosen = spaced(points, fittedPointsMax);
  const slopes: number[] = [];
  for (const [index, one] of chosen.entries()) {
    for (const other of chosen.slice(index + 1)) {
      const run = other.estimated - one.estimated;
      if (run !== 0) slopes.push((other.native - one.native) / run);
    }
  }
  if (slopes.length === 0) return undefined;
  const scale = median(slopes);
  return { scale, offset: median(chosen.map((point) => point.native - scale * point.estimated)) };
}

function spaced(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const step = points.length / most;
  return Array.from({ length: most }, (_, index) => points[Math.floor(index * step)]).filter(
    (point) => point !== undefined,
  );
}
