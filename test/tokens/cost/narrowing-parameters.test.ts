import { expect, test } from "bun:test";
import {
  narrowingParameters,
  narrowingNamesMax,
  parameterPathCharactersMax,
} from "#tokens/cost/begin-tool.ts";
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
  // Four levels deep it is not looked for.
  [{ a: { properties: { b: { properties: { c: { properties: { limit: {} } } } } } } }, []],
  [{ url: {}, text: {} }, []],
  [{ constructor: {}, __proto__: {}, toString: {} }, []],
] as const)("%j: %j", (properties, names) => {
  expect(narrowingParameters(tool(properties))).toEqual([...names]);
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
  expect(narrowingParameters(tool(properties, { $defs }))).toEqual(["page.limit"]);
});

test("without an input schema nothing is known", () => {
  expect(narrowingParameters({})).toBeUndefined();
  expect(narrowingParameters({ inputSchema: "none" })).toBeUndefined();
  expect(narrowingParameters({ inputSchema: {} })).toEqual([]);
});

test("a schema of 10,000 parameters has a few of bounded length, and no unsafe name", () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`group${at}`, { properties: { limit: {} } }]),
  );
  const found = narrowingParameters(tool(many)) ?? [];
  expect(found).toHaveLength(narrowingNamesMax);
  expect(found[0]).toBe("group0.limit");
  const room = parameterPathCharactersMax - ".limit".length;
  const long = { ["x".repeat(room)]: { properties: { limit: {} } } };
  expect(narrowingParameters(tool(long))).toHaveLength(1);
  const longer = { ["x".repeat(room + 1)]: { properties: { limit: {} } } };
  expect(narrowingParameters(tool(longer))).toEqual([]);
  const hostile = {
    "a\u001b[2J": { properties: { limit: {} } },
    "b; rm -rf": { properties: { limit: {} } },
  };
  expect(narrowingParameters(tool(hostile))).toEqual([]);
});
