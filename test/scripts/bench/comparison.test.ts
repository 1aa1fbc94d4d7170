import { expect, test } from "bun:test";
import { compare, notWorse } from "../../../scripts/bench/comparison.ts";

const paired = (older: readonly number[], newer: readonly number[]) =>
  compare({ what: "start", unit: "ms", older, newer });

test("the ratio is the median of the rounds' ratios, not the ratio of the medians", () => {
  const comparison = paired([10, 100, 20], [11, 100, 10]);
  expect(comparison).toEqual({
    what: "start",
    older: { value: 20, unit: "ms" },
    newer: { value: 11, unit: "ms" },
    ratio: 1,
  });
});

test.each([
  ["equal", [10, 10], true],
  ["five per cent more", [10.5, 10.5], true],
  ["more than that", [10.6, 10.6], false],
  ["less", [1, 1], true],
  ["not measured", [Number.NaN, Number.NaN], false],
])("notWorse: %s", (_, newer, passed) => {
  expect(notWorse(paired([10, 10], newer)).passed).toBe(passed);
});

test("rounds that are missing cannot be compared", () => {
  expect(() => paired([1, 2], [1])).toThrow("Cannot compare start: 2 rounds against 1");
});
