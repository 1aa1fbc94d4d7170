import { expect, test } from "bun:test";
import { DoubtfulTargets, judgesRest } from "#lock/drift/doubtful-references.ts";

const [a, b] = [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }];
const $defs = { a: { type: "string" }, b: { type: "null" }, c: { items: a } };

test.each([
  [{ properties: { q: a } }, false],
  [{ not: a }, true],
  [{ if: { items: [a] } }, true],
  [{ oneOf: [a, b] }, false],
  [{ oneOf: [a, { maxLength: 3 }] }, true],
  [{ not: { $ref: "#/$defs/c" } }, true],
  [{ anyOf: [a], unevaluatedProperties: false }, true],
] as const)("DoubtfulTargets of %j has a: %p", (schema, expected) => {
  expect(new DoubtfulTargets({}, { ...schema, $defs }).has("$defs", "a")).toBe(expected);
  expect(new DoubtfulTargets({ ...schema, $defs }, {}).has("definitions", "a")).toBe(false);
});

test("DoubtfulTargets has references that lead to no definition by its name", () => {
  expect(new DoubtfulTargets({}, { not: { $ref: "#/properties/q" } }).hasUnnamed).toBe(true);
  expect(new DoubtfulTargets({}, { not: a, $defs }).hasUnnamed).toBe(false);
});

test("judgesRest of keywords that judge the rest", () => {
  expect(judgesRest({ unevaluatedItems: false })).toBe(true);
  expect(judgesRest({ additionalProperties: false })).toBe(false);
});
