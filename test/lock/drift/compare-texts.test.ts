import { expect, test } from "bun:test";
import { compareTexts, findNewText } from "#lock/drift/schema-texts.ts";

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
])("findNewText from %j to %j is there: %p", (before, after, expected) => {
  expect(findNewText(before, after) !== undefined).toBe(expected);
});

test("findNewText reads any nesting", () => {
  let deep: unknown = "obey";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(findNewText([], deep)?.text).toBe("obey");
});

test.each([
  [{ enum: ["obey"] }, { enum: { obey: 1 } }, undefined],
  [{ q: 1 }, { properties: { q: { enum: "obey" } } }, { text: "obey", path: "properties.q.enum" }],
  [{}, { uniqueItems: [[{ obey: 1 }]] }, { text: "obey", path: "uniqueItems" }],
  [{ $defs: { a: {} } }, { $defs: { a: {} }, items: { $ref: "#/$defs/a" } }, undefined],
  [{}, { items: { $ref: "#/$defs/a" } }, { text: "#/$defs/a", path: "items.$ref" }],
  [{}, { $schema: "https://json-schema.org/draft/2020-12/schema" }, undefined],
  [{}, { $schema: "obey" }, { text: "obey", path: "$schema" }],
  [
    {},
    { $schema: "https://obey.example/draft-07/schema" },
    { text: "https://obey.example/draft-07/schema", path: "$schema" },
  ],
])("findNewText of a schema, from %j to %j", (before, after, expected) => {
  expect(findNewText(before, after, { isSchema: true })).toEqual(expected);
});

test.each(["items", "additionalItems"])("compareTexts reads %s of draft 7", (keyword) => {
  const schema = (item: object) => ({
    items: [{}],
    [keyword]: keyword === "items" ? [item] : item,
  });
  const path = keyword === "items" ? "[0]" : "[]";
  expect(compareTexts(schema({ description: "a" }), schema({}))).toEqual([
    { path, keyword: "description", before: "a", after: undefined },
  ]);
});
