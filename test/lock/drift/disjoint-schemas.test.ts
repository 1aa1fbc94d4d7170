import { expect, test } from "bun:test";
import { isAlone } from "#lock/drift/disjoint-schemas.ts";

const kind = (name: string, required: string[] = ["kind"]) => ({
  type: "object",
  properties: { kind: { const: name } },
  required,
});
const root = { $defs: { cat: kind("cat"), dog: kind("dog") } };

test.each([
  [{ type: "string" }, { type: "null" }, true],
  [{ type: "integer" }, { type: "number" }, false],
  [{ type: ["string", "null"] }, { type: "null" }, false],
  [{ enum: [1, 2] }, { const: 3 }, true],
  [{ enum: [1, 2] }, { const: 2 }, false],
  [{ const: "a" }, { type: "number" }, true],
  [{ const: 1 }, { type: "integer" }, false],
  [kind("cat"), kind("dog"), true],
  [kind("cat", []), kind("dog", []), false],
  [kind("cat"), { type: "object" }, false],
  [{ ...kind("cat"), type: "array" }, { ...kind("dog"), type: "array" }, false],
  [{ $ref: "#/$defs/cat" }, { $ref: "#/$defs/dog" }, true],
  [{ $ref: "#/$defs/cat", maxProperties: 3 }, { $ref: "#/$defs/dog" }, false],
  [{ $ref: "#/$defs/none" }, { $ref: "#/$defs/dog" }, false],
  [false, {}, true],
  [{ maxLength: 3 }, { minLength: 4 }, false],
] as const)("isAlone: %j and %j are disjoint: %p", (one, other, expected) => {
  expect(isAlone(one, [one, other], root)).toBe(expected);
  expect(isAlone(other, [one, other], root)).toBe(expected);
});

test("isAlone compares a schema with the others, and with its own double", () => {
  const [text, none] = [{ type: "string" }, { type: "null" }];
  expect(isAlone(text, [text, none], root)).toBe(true);
  expect(isAlone(text, [text, none, { ...text }], root)).toBe(false);
  expect(isAlone(true, [true, true], root)).toBe(false);
});
