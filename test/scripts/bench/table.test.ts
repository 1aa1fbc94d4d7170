import { expect, test } from "bun:test";
import { renderMeasurement, renderTable, verdictCells } from "../../../scripts/bench/table.ts";

test("columns are as wide as their widest cell", () => {
  const table = renderTable([
    ["", "p50"],
    ["bare server", "9 µs"],
    ["pipe", "120 µs"],
  ]);
  expect(table).toBe(
    [
      "|             | p50    |",
      "| ----------- | ------ |",
      "| bare server | 9 µs   |",
      "| pipe        | 120 µs |",
    ].join("\n"),
  );
});

test("a bar in a cell does not end it", () => {
  expect(renderTable([["name"], ["a|b"]])).toContain(String.raw`| a\|b |`);
});

test("a short row is filled, a heading alone is nothing", () => {
  expect(renderTable([["one", "two"], ["1"]])).toContain("| 1   |     |");
  expect(renderTable([["one", "two"]])).toBe("");
  expect(renderTable([])).toBe("");
});

test("a comparison is a table of its own", () => {
  const markdown = renderMeasurement({
    load: "start",
    caption: "20 starts each.",
    columns: [],
    rows: [],
    verdicts: [],
    comparisons: [
      {
        what: "start",
        older: { value: 20, unit: "ms" },
        newer: { value: 19, unit: "ms" },
        ratio: 0.95,
      },
    ],
  });
  expect(markdown.split("\n\n")[1]).toBe(
    [
      "|       | older | newer | ratio  |",
      "| ----- | ----- | ----- | ------ |",
      "| start | 20 ms | 19 ms | 0.95 × |",
    ].join("\n"),
  );
});

test("a wish that is missed is not emphasized", () => {
  const verdict = { goal: "stretch: p50 ≤ 2 ×", measured: "3 ×", passed: false };
  expect(verdictCells({ ...verdict, isStretch: true }).at(-1)).toBe("miss");
  expect(verdictCells(verdict).at(-1)).toBe("**miss**");
});

test("a measurement is its caption, its figures and its verdicts", () => {
  const markdown = renderMeasurement({
    load: "start",
    caption: "20 starts each.",
    columns: ["median"],
    rows: [{ contestant: "mcp-meter", figures: [{ value: 12.34, unit: "ms" }] }],
    verdicts: [
      { goal: "median ≤ 25 ms", measured: "12.3 ms", passed: true },
      { goal: "peak ≤ 60 MB", measured: "61 MB", passed: false },
    ],
  });
  expect(markdown).toBe(
    [
      "20 starts each.",
      "",
      "|           | median  |",
      "| --------- | ------- |",
      "| mcp-meter | 12.3 ms |",
      "",
      "| goal           | measured | verdict  |",
      "| -------------- | -------- | -------- |",
      "| median ≤ 25 ms | 12.3 ms  | pass     |",
      "| peak ≤ 60 MB   | 61 MB    | **miss** |",
    ].join("\n"),
  );
});
