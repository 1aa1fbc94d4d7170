import { expect, test } from "bun:test";
import { type Instrument, Series } from "#history/telemetry/metric-definitions.ts";

const counter: Instrument = { name: "c", unit: "1", description: "", kind: "counter" };
const gauge: Instrument = { ...counter, kind: "gauge" };
const histogram: Instrument = { ...counter, kind: "histogram", bounds: [1, 10] };

const toolA = { tool: "a" };
const toolB = { tool: "b" };

test("a cumulative reading has every series since the start", () => {
  const series = new Series(counter);
  series.add(toolA, 2);
  series.add(toolB, 0);
  series.add(toolA, 3);
  const points = [
    { attributes: toolA, values: [5] },
    { attributes: toolB, values: [0] },
  ];
  expect(series.read("cumulative")).toEqual({ instrument: counter, points });
  series.confirm();
  expect(series.hasChanges).toBe(false);
  expect(series.read("cumulative").points).toEqual(points);
});

test("a delta reading has all changes since the last confirmed reading", () => {
  const series = new Series(counter);
  series.add(toolA, 2);
  expect(series.read("delta").points).toEqual([{ attributes: toolA, values: [2] }]);
  series.add(toolA, 3);
  expect(series.read("delta").points).toEqual([{ attributes: toolA, values: [5] }]);
  series.add(toolA, 10);
  series.confirm();
  expect(series.hasChanges).toBe(true);
  expect(series.read("delta").points).toEqual([{ attributes: toolA, values: [10] }]);
  series.confirm();
  expect(series.read("delta").points).toEqual([]);
});

test("a histogram counts a value in the first bucket whose bound is not below it, and adds it to the sum", () => {
  const series = new Series(histogram);
  for (const value of [1, 1.5, 10, 11]) series.observe(toolA, value);
  expect(series.read("cumulative").points).toEqual([
    { attributes: toolA, values: [1, 2, 1, 23.5] },
  ]);
  series.confirm();
  series.observe(toolA, 100);
  expect(series.read("delta").points).toEqual([{ attributes: toolA, values: [0, 0, 1, 100] }]);
});

test("a gauge that is raised keeps its highest value", () => {
  const series = new Series(gauge);
  for (const value of [0, 0.5, 0.2]) series.raise(toolA, value);
  expect(series.read("cumulative").points).toEqual([{ attributes: toolA, values: [0.5] }]);
});

test("a gauge has its last value in every reading", () => {
  const series = new Series(gauge);
  series.set(toolA, 7);
  series.set(toolA, 4);
  series.read("delta");
  series.confirm();
  expect(series.read("delta").points).toEqual([{ attributes: toolA, values: [4] }]);
});
