import { expect, test } from "bun:test";
import { lostReferences, resolved } from "#lock/drift/schema-references.ts";

const root = { $defs: { a: { type: "string" }, b: { $ref: "#/$defs/a" }, "c/d": { maximum: 1 } } };

test.each([
  [{ type: "null" }, { type: "null" }],
  [
    { $ref: "#/$defs/b", title: "B" },
    { type: "string", title: "B" },
  ],
  [{ $ref: "#/$defs/c~1d" }, { maximum: 1 }],
  [{ $ref: "#" }, root],
  [{ $ref: "#/$defs/none" }, undefined],
  [{ $ref: "https://other.example/schema" }, undefined],
  [{ $ref: 7 }, undefined],
])("resolved of %j", (schema, expected) => {
  expect(resolved(schema, root)).toEqual(expected);
});

test("resolved ends in a circle", () => {
  const circle = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
  expect(resolved({ $ref: "#/$defs/a" }, circle)).toBeUndefined();
});

const refers = (more: object) => ({ items: [{ $ref: "#/$defs/a" }], ...more });

test("lostReferences names what is still referred to and no longer there", () => {
  expect(lostReferences(refers(root), refers({}))).toEqual(["#/$defs/a"]);
  expect(lostReferences(refers(root), {})).toEqual([]);
  expect(lostReferences(refers({}), refers({}))).toEqual([]);
});
