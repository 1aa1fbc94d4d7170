import { expect, test } from "bun:test";
import { layOutHistogram, layOutScatter } from "#screens/dash/page/layouts.ts";

test("dots stand by tokens and duration on logarithmic axes, one path for each look", () => {
  const points = {
    a: { total_tokens: 10, duration_ms: 1, outcome: "ok" },
    b: { total_tokens: 1_000, duration_ms: 100, outcome: "ok" },
    c: { total_tokens: 100, duration_ms: 10, outcome: "rpc_error" },
  } as const;
  const { paths, xTicks, yTicks } = layOutScatter(points, 200, 100);
  expect(xTicks.map(({ label }) => label)).toEqual(["10", "100", "1,000"]);
  expect(yTicks.map(({ label }) => label)).toEqual(["1 ms", "10 ms", "100 ms"]);
  expect(paths).toEqual({ ok: "M0 100h0M200 0h0", error: "M100 50h0" });
});

test("no point has axes, but no dot", () => {
  const { paths, xTicks } = layOutScatter({}, 200, 100);
  expect(paths).toEqual({});
  expect(xTicks.length).toBeGreaterThan(1);
});

test("a histogram goes from the smallest class to the largest", () => {
  const columns = layOutHistogram({
    "16": { from: 16, to: 31, calls: 2 },
    "8": { from: 8, to: 15, calls: 4 },
    "32": { from: 32, to: 63, calls: 0 },
  });
  expect(columns.map(({ key, share }) => [key, share])).toEqual([
    ["8", 1],
    ["16", 0.5],
    ["32", 0],
  ]);
  expect(layOutHistogram({})).toEqual([]);
});
