import { expect, test } from "bun:test";
import {
  findCountMaximum,
  findLimitParameters,
  findSizeMaximum,
  pickSmallest,
  schemaMaximumMax,
} from "#lock/limit-parameters.ts";

const input = (properties: object) => ({ inputSchema: { type: "object", properties } });

test("findLimitParameters names the parameters that would bound an answer", () => {
  expect(findLimitParameters(input({ limit: {}, q: {}, "page-size": {}, max_chars: {} }))).toEqual([
    "limit",
    "page-size",
  ]);
});

const tool = (name: string, description: string, properties: object) => ({
  name,
  description,
  ...input(properties),
});

test.each([
  [tool("delete_sheet_rows", "", { count: { type: "integer" } }), []],
  [tool("insertRows", "", { count: { type: "integer" } }), []],
  [tool("DeleteMany", "", { count: { type: "integer" } }), []],
  [tool("UPDATE_ROWS", "", { count: { type: "integer" } }), []],
  [tool("Settings", "", { count: { type: "integer" } }), ["count"]],
  [tool("SETTINGS", "", { count: { type: "integer" } }), ["count"]],
  [tool("lrem", "Remove elements of a list.", { count: { type: "integer" } }), []],
  [tool("create_pivot_table", "", { rows: { type: "array" } }), []],
  [tool("create_view", "", { limit: { type: "integer" } }), ["limit"]],
  [tool("settings", "", { count: { type: "integer" } }), ["count"]],
  [tool("page", "", { margin: { properties: { top: { type: "string" } } } }), []],
  [tool("list", "", { first: { type: "boolean" } }), []],
  [tool("list", "", { k: { anyOf: [{ type: "integer" }, { type: "null" }] } }), ["k"]],
  [tool("list", "", { k: { type: ["number", "null"] } }), ["k"]],
])("limitParameters of %j: %j", (definition, names) => {
  expect(findLimitParameters(definition)).toEqual(names);
});

test.each([
  ["none", {}, undefined],
  ["a limit", { limit: { maximum: 9 } }, { value: 9, source: "limit" }],
  ["the smaller of two", { limit: { maximum: 9 }, k: { maximum: 3 } }, { value: 3, source: "k" }],
  ["an exclusive limit", { top: { exclusiveMaximum: 9 } }, { value: 8, source: "top" }],
  [
    "the smaller of both limits",
    { n: { maximum: 100, exclusiveMaximum: 50 } },
    { value: 49, source: "n" },
  ],
  [
    "the larger of two alternatives",
    {
      n: {
        anyOf: [
          { type: "integer", maximum: 10 },
          { type: "integer", maximum: 100 },
        ],
      },
    },
    { value: 100, source: "n" },
  ],
  [
    "an alternative without one",
    { n: { anyOf: [{ maximum: 10 }, { type: "integer" }] } },
    undefined,
  ],
  [
    "an alternative that is no number",
    { n: { anyOf: [{ maximum: 10 }, { type: "null" }] } },
    { value: 10, source: "n" },
  ],
  ["a fraction", { limit: { maximum: 9.7 } }, { value: 9, source: "limit" }],
  ["an optional limit", { limit: { oneOf: [{ maximum: 9 }] } }, { value: 9, source: "limit" }],
  [
    "the largest limit",
    { n: { maximum: schemaMaximumMax } },
    { value: schemaMaximumMax, source: "n" },
  ],
  ["one past it", { n: { maximum: schemaMaximumMax + 1 } }, undefined],
  ["another parameter", { max_chars: { maximum: 9 } }, undefined],
])("findCountMaximum: %s", (_, properties, maximum) => {
  expect(findCountMaximum(input(properties))).toEqual(maximum);
});

test("findSizeMaximum takes parameters that limit the length of an answer", () => {
  expect(findSizeMaximum(input({ max_chars: { maximum: 70 }, limit: { maximum: 3 } }))).toEqual({
    value: 70,
    source: "max_chars",
  });
});

test("pickSmallest of equal maxima is the first", () => {
  const [a, b] = [
    { value: 1, source: "one" },
    { value: 1, source: "other" },
  ];
  expect(pickSmallest([a, b])).toBe(a);
  expect(pickSmallest([])).toBeUndefined();
});
