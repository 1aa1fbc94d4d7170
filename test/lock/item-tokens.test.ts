import { expect, test } from "bun:test";
import { itemTokensDefault, estimateValueTokens } from "#lock/answer-worst-case.ts";

test.each([
  ["a string", { type: "string" }, 12],
  ["a value without a type", {}, 12],
  ["a type that no schema has", { type: "constructor" }, 12],
  ["a boolean", { type: "boolean" }, 2],
  ["an enum, by its longest", { enum: ["a", "abcdefgh"] }, 3],
  ["a const", { const: "abcdef" }, 3],
  ["maxLength", { type: "string", maxLength: 7000 }, 2000],
  ["a format", { type: "string", format: "uuid" }, 11],
  ["a format by its usual length", { type: "string", format: "uri" }, 18],
  ["a format that no schema has", { format: "constructor" }, 12],
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
  expect(estimateValueTokens(schema)).toBe(tokens);
});

test("itemTokens of a schema in a circle is finite", () => {
  const schema = { properties: { next: { $ref: "#" } } };
  expect(estimateValueTokens(schema)).toBeLessThan(1_000);
});
