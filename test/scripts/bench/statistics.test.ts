import { expect, test } from "bun:test";
import { median, percentile, slope, sum } from "../../../scripts/bench/statistics.ts";

test.each<[readonly number[], number]>([
  [[], Number.NaN],
  [[7], 7],
  [[9, 1], 5],
  [[3, 1, 2], 2],
  [[10, 9, 100, 1], 9.5],
])("median of %p is %p", (samples, expected) => {
  expect(median(samples)).toBe(expected);
});

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

test.each<[string, readonly number[], number, number]>([
  ["nothing", [], 50, Number.NaN],
  ["one sample", [7], 99, 7],
  ["rank 50 of 100", hundred, 50, 50],
  ["rank 99 of 100", hundred, 99, 99],
  ["the highest", hundred, 100, 100],
  ["the lowest", hundred, 0, 1],
  ["the next rank up", [1, 2, 3, 4], 51, 3],
])("percentile of %s", (_, samples, percent, expected) => {
  expect(percentile(samples, percent)).toBe(expected);
});

test("samples are left in their order", () => {
  const samples = [3, 1, 2];
  median(samples);
  percentile(samples, 50);
  expect(samples).toEqual([3, 1, 2]);
});

test("the slope of a line is its steepness, wherever it starts", () => {
  const points = [0, 1, 2, 5].map((x) => ({ x, y: 40 + 0.25 * x }));
  expect(slope(points)).toBeCloseTo(0.25, 12);
});

test("the slope of noise around a level is flat", () => {
  const points = [1, -1, -1, 1].map((noise, x) => ({ x, y: 60 + noise }));
  expect(slope(points)).toBeCloseTo(0, 12);
});

test.each([
  [[]],
  [[{ x: 1, y: 9 }]],
  [
    [
      { x: 1, y: 9 },
      { x: 1, y: 3 },
    ],
  ],
])("points without width have no slope: %p", (points) => {
  expect(slope(points)).toBe(0);
});

test("the sum of nothing is 0, the sum with an unknown is unknown", () => {
  expect([sum([]), sum([1, 2.5]), sum([1, Number.NaN])]).toEqual([0, 3.5, Number.NaN]);
});
