import { expect, test } from "bun:test";
import { thin } from "../../../../scripts/bench/plots/thin.ts";
import { decades, ticks } from "../../../../scripts/bench/plots/scale.ts";

test.each<[number, number, readonly number[]]>([
  [100, 5, [0, 20, 40, 60, 80, 100]],
  [101, 5, [0, 50, 100, 150]],
  [7, 5, [0, 2, 4, 6, 8]],
  [0.3, 5, [0, 0.1, 0.2, 0.3]],
  [0.03, 5, [0, 0.01, 0.02, 0.03]],
  [0, 5, [0, 1]],
  [Number.NaN, 5, [0, 1]],
])("ticks up to %d, about %d of them", (highest, count, expected) => {
  expect(ticks(highest, count)).toEqual(expected);
});

test.each<[number, number, readonly number[]]>([
  [22, 5_600, [10, 100, 1_000, 10_000]],
  [10, 100, [10, 100]],
  [5, 5, [1, 10]],
  [10, 10, [10, 100]],
  [0.02, 0.5, [0.01, 0.1, 1]],
])("the decades around %d and %d", (lowest, highest, expected) => {
  expect(decades(lowest, highest)).toEqual(expected);
});

test("a thinned line keeps its peaks and its order", () => {
  const points = Array.from({ length: 1_000 }, (_, x) => ({ x, y: x === 333 ? 9 : 1 }));
  const thinned = thin(points, 10);
  expect(thinned.length).toBe(10);
  expect(thinned).toContainEqual({ x: 333, y: 9 });
  expect(thinned.map(({ x }) => x)).toEqual(thinned.map(({ x }) => x).toSorted((a, b) => a - b));
  expect(thin(points.slice(0, 10), 10)).toEqual(points.slice(0, 10));
});
