import { expect, test } from "bun:test";
import {
  itemTokensDefault,
  findFixedCharacters,
  estimateItemTokens,
  schemaSizeMax,
} from "#lock/item-size.ts";

test.each([
  ["a string", { type: "string" }, 12],
  ["a value without a type", {}, 12],
  ["a type that no schema has", { type: "constructor" }, 12],
  ["a boolean", { type: "boolean" }, 2],
  ["an enum, by its longest", { enum: ["a", "abcdefgh"] }, 3],
  ["a const", { const: "abcdef" }, 3],
  ["maxLength", { type: "string", maxLength: 7000 }, 2000],
  ["a format", { type: "string", format: "uuid" }, 11],
  ["an object that tells nothing", { type: "object" }, itemTokensDefault],
  ["two fields", { properties: { id: { type: "integer" }, name: { type: "string" } } }, 18],
  ["a list of three", { type: "array", items: { type: "boolean" } }, 6],
  ["a list of one", { type: "array", maxItems: 1, items: { type: "boolean" } }, 3],
  ["the more expensive branch", { anyOf: [{ type: "null" }, { type: "string" }] }, 12],
  [
    "all branches",
    { allOf: [{ properties: { a: { type: "null" } } }, { properties: { b: { type: "null" } } }] },
    7,
  ],
  ["a map", { type: "object", additionalProperties: { type: "null" } }, 42],
] as const)("itemTokens of %s", (_, schema, tokens) => {
  expect(estimateItemTokens(schema)).toBe(tokens);
});

test("itemTokens of a schema in a circle is finite", () => {
  const schema = { properties: { next: { $ref: "#" } } };
  expect(estimateItemTokens(schema)).toBeLessThan(1_000);
});

test("findFixedCharacters is undefined for an open value", () => {
  expect(findFixedCharacters({ type: "string" })).toBeUndefined();
  expect(findFixedCharacters({ format: "unknown" })).toBeUndefined();
  expect(findFixedCharacters({ format: "constructor" })).toBeUndefined();
  expect(findFixedCharacters({ maxLength: 5 })).toBe(5);
  expect(findFixedCharacters({ maxLength: schemaSizeMax })).toBe(schemaSizeMax);
  expect(findFixedCharacters({ maxLength: schemaSizeMax + 1 })).toBeUndefined();
});
