import { expect, test } from "bun:test";
import {
  findNarrowingParameters,
  narrowingNamesMax,
  parameterPathCharactersMax,
} from "#tokens/cost/narrowing-parameter-names.ts";
import type { JsonObject } from "#wire/json.ts";

const tool = (properties: object, more: JsonObject = {}): JsonObject => ({
  inputSchema: { type: "object", properties, ...more },
});

test.each([
  [{ path: {}, head: {}, tail: {} }, ["head", "tail"]],
  [
    { query: {}, "page-size": {}, maxResults: {}, per_page: {} },
    ["maxResults", "page-size", "per_page"],
  ],
  [{ offset: {}, length: {}, max_answer_chars: {} }, ["length", "max_answer_chars", "offset"]],
  [{ tail: {}, a: { properties: { top: {}, k: {} } }, K: {} }, ["K", "a.k", "a.top", "tail"]],
  [{ K: {}, a: { properties: { k: {}, top: {} } }, tail: {} }, ["K", "a.k", "a.top", "tail"]],
  [{ options: { properties: { page_size: {}, sort: {} } } }, ["options.page_size"]],
  [{ a: { properties: { b: { properties: { limit: {} } } } } }, ["a.b.limit"]],
  // Not searched at four levels.
  [{ a: { properties: { b: { properties: { c: { properties: { limit: {} } } } } } } }, []],
  [{ url: {}, text: {} }, []],
  [{ constructor: {}, __proto__: {}, toString: {} }, []],
] as const)("%j: %j", (properties, names) => {
  expect(findNarrowingParameters(tool(properties))).toEqual([...names]);
});

test("references inside the schema are followed, circles and others are not", () => {
  const $defs = {
    page: { properties: { limit: {} } },
    self: { properties: { self: { $ref: "#/$defs/self" } } },
  };
  const properties = {
    page: { $ref: "#/$defs/page" },
    self: { $ref: "#/$defs/self" },
    far: { $ref: "https://example.com/limit" },
  };
  expect(findNarrowingParameters(tool(properties, { $defs }))).toEqual(["page.limit"]);
});

test("without an input schema nothing is known", () => {
  expect(findNarrowingParameters({})).toBeUndefined();
  expect(findNarrowingParameters({ inputSchema: "none" })).toBeUndefined();
  expect(findNarrowingParameters({ inputSchema: {} })).toEqual([]);
});

test("a schema of 10,000 parameters has a few of bounded length, and no unsafe name", () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`group${at}`, { properties: { limit: {} } }]),
  );
  const found = findNarrowingParameters(tool(many)) ?? [];
  expect(found).toHaveLength(narrowingNamesMax);
  expect(found[0]).toBe("group0.limit");
  const room = parameterPathCharactersMax - ".limit".length;
  const long = { ["x".repeat(room)]: { properties: { limit: {} } } };
  expect(findNarrowingParameters(tool(long))).toHaveLength(1);
  const longer = { ["x".repeat(room + 1)]: { properties: { limit: {} } } };
  expect(findNarrowingParameters(tool(longer))).toEqual([]);
  const hostile = {
    "a\u001b[2J": { properties: { limit: {} } },
    "b; rm -rf": { properties: { limit: {} } },
  };
  expect(findNarrowingParameters(tool(hostile))).toEqual([]);
});
