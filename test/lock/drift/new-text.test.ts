import { expect, test } from "bun:test";
import { gainsText } from "#lock/drift/new-text.ts";

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
