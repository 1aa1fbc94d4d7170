import { expect, test } from "bun:test";
import { findValue } from "#check/secrets/find-value.ts";
import { allowed } from "../../support/measure.ts";

test.each([
  ["abc", "b", ["b"]],
  ["abab", "ab", ["ab", "ab"]],
  ["ababa", "aba", ["aba"]],
  ["ac", "b", []],
  ["", "b", []],
  // Each character has its own escape.
  ["x a\\u0022%62+c\\/ x", 'a"b c/', ["a\\u0022%62+c\\/"]],
  // The text goes on as an escape would.
  ["abc%41", "abc%", ["abc%"]],
  ["\\u004", "\\u00", ["\\u00"]],
  // The furthest end.
  ["x\\\\u0075x", "\\u", ["\\\\u0075"]],
  ["a\\\\\\\\b", "\\", ["\\\\\\\\"]],
  ["\\ud83d\\ude00 %F0%9F%98%80 😀", "😀", ["\\ud83d\\ude00", "%F0%9F%98%80", "😀"]],
  ["%EF%BF%BD", "\ud800", ["%EF%BF%BD"]],
])("findValue: in %j the value %j", (text, value, found) => {
  const ranges = findValue(text, value);
  expect(ranges.map(({ start, end }) => text.slice(start, end))).toEqual(found);
});

// A search from each beginning would compare 10^9 characters.
test("findValue takes time linear in the text, also for a value that almost occurs everywhere", () => {
  const began = performance.now();
  expect(findValue("a".repeat(1_000_000), `${"a".repeat(1_000)}b`)).toEqual([]);
  expect(findValue("\\".repeat(100_000), `${"\\".repeat(100)}b`)).toEqual([]);
  expect(performance.now() - began).toBeLessThan(allowed(5_000));
});
