import { expect, test } from "bun:test";
import { isDefinitions, rowLook, seriesLook } from "#screens/dash/page/format.ts";

const plain = ["search", "definitions", "read", "definitions", "other"];

test("tools have a colour each, definitions and the rest have their own", () => {
  expect(plain.map((_, at) => seriesLook(at, plain))).toEqual([
    "series-0",
    "series-1",
    "series-2",
    "series-definitions",
    "series-other",
  ]);
  expect(seriesLook(-1, plain)).toBe("series-other");
});

test("a row has the colour of its series, with the server in the name or without", () => {
  expect(rowLook({ server: "s", tool: "read" }, plain)).toBe("series-2");
  expect(rowLook({ server: "s", tool: "definitions" }, plain)).toBe("series-1");
  expect(rowLook({ server: "s", tool: "unknown" }, plain)).toBe("series-other");
  expect(rowLook({ server: "s", tool: "other" }, plain)).toBe("series-other");
  const withServer = ["a search", "b search", "definitions", "other"];
  expect(rowLook({ server: "b", tool: "search" }, withServer)).toBe("series-1");
});

test("the row of definitions has their colour", () => {
  const row = { server: "s", tool: "(definitions)" };
  expect(isDefinitions(row)).toBe(true);
  expect(rowLook(row, plain)).toBe("series-definitions");
});
