import { expect, test } from "bun:test";
import { keywordRules } from "#lock/drift/keyword-rules.ts";

const words = (keyword: string, before: unknown, after: unknown): string => {
  const change = keywordRules.get(keyword)?.(before, after);
  return change ? `${change.verb}: ${change.effect}` : "same";
};

test.each([
  ["minimum", 1, 2, "raised: narrowed"],
  ["minimum", undefined, -5, "added: narrowed"],
  ["minLength", undefined, 0, "same"],
  ["minLength", 3, undefined, "removed: widened"],
  ["exclusiveMinimum", true, 3, "changed: changed"],
  ["maxItems", 3, 3, "same"],
  ["exclusiveMaximum", 3, "3", "changed: changed"],
  ["multipleOf", 10, 5, "changed: widened"],
  ["multipleOf", 10, 7, "changed: changed"],
  ["multipleOf", undefined, 7, "added: narrowed"],
  ["uniqueItems", undefined, false, "same"],
  ["uniqueItems", true, undefined, "removed: widened"],
  ["pattern", "a", "a", "same"],
  ["if", undefined, {}, "added: changed"],
  ["patternProperties", { a: 1 }, undefined, "removed: changed"],
] as const)("%s from %j to %j is %s", (keyword, before, after, expected) => {
  expect(words(keyword, before, after)).toBe(expected);
});

test("every rule finds nothing between a value and itself", () => {
  for (const rule of keywordRules.values()) {
    for (const value of [undefined, 0, 5, "a", true, { a: [1] }, null]) {
      expect(rule(value, value)).toBeUndefined();
    }
  }
});
