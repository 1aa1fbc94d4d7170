import { expect, test } from "bun:test";
import { parametersOf, schemaTexts } from "#lock/parameters.ts";

test("parametersOf gives every path, sorted, with what its own object requires", () => {
  const schema = {
    type: "object",
    required: ["q"],
    properties: {
      q: { type: "string" },
      filter: { type: "object", required: ["since"], properties: { since: { type: "integer" } } },
      ids: { type: "array", items: { properties: { value: {} } } },
    },
  };
  expect(parametersOf(schema)).toEqual([
    { name: "filter", required: false, type: "object" },
    { name: "filter.since", required: true, type: "integer" },
    { name: "ids", required: false, type: "array" },
    { name: "ids[].value", required: false, type: null },
    { name: "q", required: true, type: "string" },
  ]);
});

test("parametersOf survives what is no schema and what refers to itself", () => {
  expect(parametersOf(undefined)).toEqual([]);
  expect(parametersOf({ properties: 3, required: "x" })).toEqual([]);
  expect(parametersOf({ properties: { next: { $ref: "#" } } }).length).toBeGreaterThan(1);
});

test("schemaTexts finds titles and descriptions at any depth, in any order of keys", () => {
  const one = { inputSchema: { description: "a", items: [{ title: "b" }] } };
  const two = { inputSchema: { items: [{ title: "b" }], description: "a" }, description: "no" };
  expect(schemaTexts(one)).toEqual(["in/description: a", "in/items/0/title: b"]);
  expect(schemaTexts(two)).toEqual(schemaTexts(one));
  expect(schemaTexts({ outputSchema: { properties: { description: {} } } })).toEqual([]);
});
