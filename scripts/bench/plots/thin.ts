import type { Point } from "../statistics.ts";

/** At most `count` points: of each stretch of time the highest, so that no peak is lost. */
export function thin(points: readonly Point[], count: number): readonly Point[] {
  if (points.length <= count) return points;
  const size = points.length / count;
  return Array.from({ length: count }, (_, at) =>
    points
      .slice(Math.floor(at * size), Math.floor((at + 1) * size))
      .reduce((highest, point) => (point.y > highest.y ? point : highest)),
  );
}
