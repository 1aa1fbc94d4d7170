import { expect, test } from "bun:test";
import {
  makeCountTicks,
  makeDecadeTicks,
  scaleLog,
  formatPixels,
  makeTimeTicks,
} from "#screens/dash/page/stack.ts";

const listLabels = (ticks: readonly { readonly label: string }[]) =>
  ticks.map(({ label }) => label);

test("counts have round ticks up to the most", () => {
  expect(listLabels(makeCountTicks(216_000, 4))).toEqual(["0", "100k", "200k"]);
  expect(listLabels(makeCountTicks(7, 4))).toEqual(["0", "2", "4", "6"]);
  expect(makeCountTicks(0, 4)).toEqual([]);
  expect(listLabels(makeCountTicks(1.2, 4))).toEqual(["0", "1"]);
});

test("times have ticks of clocks", () => {
  expect(listLabels(makeTimeTicks(780_000, 6))).toEqual(["0", "5 min", "10 min"]);
  expect(listLabels(makeTimeTicks(5_000, 5))).toEqual(["0", "1 s", "2 s", "3 s", "4 s", "5 s"]);
  expect(makeTimeTicks(400 * 86_400_000, 4).length).toBeLessThan(8);
  expect(makeTimeTicks(1e15, 4).length).toBeLessThanOrEqual(100);
});

test("powers of ten surround the values", () => {
  const ticks = makeDecadeTicks(12, 3_400, String);
  expect(listLabels(ticks)).toEqual(["10", "100", "1000", "10000"]);
  expect(listLabels(makeDecadeTicks(Infinity, 1, String)).length).toBeGreaterThan(0);
});

test("a place on a logarithmic axis is between its ends", () => {
  const ticks = makeDecadeTicks(10, 1_000, String);
  expect([0, 10, 100, 1_000, 10_000].map((value) => scaleLog(value, ticks))).toEqual([
    0, 0, 0.5, 1, 1,
  ]);
});

test("coordinates have a tenth of a pixel", () => {
  expect([1, 1.25, 2.04].map(formatPixels)).toEqual(["1", "1.3", "2"]);
});
