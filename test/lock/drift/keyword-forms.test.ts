import { expect, test } from "bun:test";
import { isWellFormed } from "#lock/drift/keyword-forms.ts";

test.each([
  ["enum", undefined, true],
  ["enum", ["a"], true],
  ["enum", "a", false],
  ["uniqueItems", false, true],
  ["uniqueItems", "obey", false],
  ["properties", ["a"], false],
  ["$defs", {}, true],
  ["definitions", null, false],
  ["required", ["a"], true],
  ["required", [{ a: 1 }], false],
  ["minimum", "a", true],
])("isWellFormed(%j, %j) is %p", (keyword, value, expected) => {
  expect(isWellFormed(keyword, value)).toBe(expected);
});
