import { expect, test } from "bun:test";
import { makeCountTicks, formatPixels, makeTimeTicks } from "#screens/dash/page/stack.ts";

const listLabels = (ticks: readonly { readonly label: string }[]) =>
  ticks.map(({ label }) => label);

test("counts have round ticks up to the most", () => {
  expect(listLabels(makeCountTicks(216_000, 4))).toEqual(["0", "100k", "200k"]);
  expect(listLabels(makeCountTicks(7, 4))).toEqual(["0", "2", "4", "6"]);
  expect(listLabels(makeCountTicks(7_000, 4))).toEqual(["0", "2k", "4k", "6k"]);
  expect(makeCountTicks(0, 4)).toEqual([]);
  expect(listLabels(makeCountTicks(1.2, 4))).toEqual(["0", "1"]);
});

test("times have ticks in minutes and seconds, or in hours", () => {
  expect(listLabels(makeTimeTicks(780_000, 6))).toEqual(["0:00 min", "5:00 min", "10:00 min"]);
  expect(listLabels(makeTimeTicks(5_000, 5))).toEqual(["0 s", "1 s", "2 s", "3 s", "4 s", "5 s"]);
  expect(listLabels(makeTimeTicks(560, 3))).toEqual(["0 s", "0.2 s", "0.4 s"]);
  expect(listLabels(makeTimeTicks(5_400_000, 4))).toEqual(["0:00 h", "0:30 h", "1:00 h", "1:30 h"]);
  expect(makeTimeTicks(400 * 86_400_000, 4).length).toBeLessThan(8);
  expect(makeTimeTicks(1e15, 4).length).toBeLessThanOrEqual(100);
});

test("coordinates have a tenth of a pixel", () => {
  expect([1, 1.25, 2.04].map(formatPixels)).toEqual(["1", "1.3", "2"]);
});
