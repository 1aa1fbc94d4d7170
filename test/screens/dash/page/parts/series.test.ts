import { expect, test } from "bun:test";
import { isDefinitionsRow, pickRowClass, pickSeriesClass } from "#screens/dash/page/format.ts";

const plain = ["search", "definitions", "read", "definitions", "other"];

test("tools have a colour each, definitions and the rest have their own", () => {
  expect(plain.map((_, at) => pickSeriesClass(at, plain))).toEqual([
    "series-0",
    "series-1",
    "series-2",
    "series-definitions",
    "series-other",
  ]);
  expect(pickSeriesClass(-1, plain)).toBe("series-other");
});

test("a row has the colour of its series, with the server in the name or without", () => {
  expect(pickRowClass({ server: "s", tool: "read" }, plain)).toBe("series-2");
  expect(pickRowClass({ server: "s", tool: "definitions" }, plain)).toBe("series-1");
  expect(pickRowClass({ server: "s", tool: "unknown" }, plain)).toBe("series-other");
  expect(pickRowClass({ server: "s", tool: "other" }, plain)).toBe("series-other");
  const withServer = ["a search", "b search", "definitions", "other"];
  expect(pickRowClass({ server: "b", tool: "search" }, withServer)).toBe("series-1");
});

test("the row of definitions has their colour", () => {
  const row = { server: "s", tool: "(definitions)" };
  expect(isDefinitionsRow(row)).toBe(true);
  expect(pickRowClass(row, plain)).toBe("series-definitions");
});
