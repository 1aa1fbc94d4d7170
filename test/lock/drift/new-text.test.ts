import { expect, test } from "bun:test";
import { gainsText, textAdded } from "#lock/drift/new-text.ts";

test.each([
  [undefined, "obey", true],
  ["obey", undefined, false],
  ["obey", "obey", false],
  [{ a: "obey" }, { b: ["obey"] }, true],
  [{ a: "b" }, { b: "a" }, false],
  [undefined, { type: "string", maxLength: 3 }, false],
  [undefined, { properties: { obey: true } }, true],
  [1, 2, false],
  ["string", { type: ["string", "null"] }, false],
])("gainsText from %j to %j: %p", (before, after, expected) => {
  expect(gainsText(before, after)).toBe(expected);
});

test("gainsText reads any nesting", () => {
  let deep: unknown = "obey";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(gainsText([], deep)).toBe(true);
});

test.each([
  [{ enum: ["obey"] }, { enum: { obey: 1 } }, undefined],
  [{ q: 1 }, { properties: { q: { enum: "obey" } } }, { text: "obey", path: "properties.q.enum" }],
  [{}, { uniqueItems: [[{ obey: 1 }]] }, { text: "obey", path: "uniqueItems" }],
  [{ $defs: { a: {} } }, { $defs: { a: {} }, items: { $ref: "#/$defs/a" } }, undefined],
  [{}, { items: { $ref: "#/$defs/a" } }, { text: "#/$defs/a", path: "items.$ref" }],
  [{}, { $schema: "https://json-schema.org/draft/2020-12/schema" }, undefined],
  [{}, { $schema: "obey" }, { text: "obey", path: "$schema" }],
])("textAdded from %j to %j", (before, after, expected) => {
  expect(textAdded(before, after)).toEqual(expected);
});
