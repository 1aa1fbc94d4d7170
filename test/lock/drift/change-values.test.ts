import { expect, test } from "bun:test";
import { formatList, formatValue, driftValueCharactersMax } from "#lock/drift/severity-rules.ts";

test("formatValue is a text as it is, canonical JSON of any other value, and null for none", () => {
  expect(formatValue("a b")).toBe("a b");
  expect(formatValue({ b: 1, a: [true] })).toBe('{"a":[true],"b":1}');
  expect(formatValue(null)).toBe("null");
  expect(formatValue(undefined)).toBeNull();
});

test("formatValue shortens, and never in the middle of a character", () => {
  const long = `${"x".repeat(driftValueCharactersMax - 1)}😀 and more`;
  const shown = formatValue(long) ?? "";
  expect(shown).toHaveLength(driftValueCharactersMax + 1);
  expect(shown.isWellFormed()).toBe(true);
  expect(shown).toEndWith("…");
});

test("formatList names four values and counts the others", () => {
  expect(formatList(["a", 2, null, true])).toBe('"a", 2, null, true');
  expect(formatList(["a", "b", "c", "d", "e", "f"])).toBe('"a", "b", "c", "d" and 2 more');
});
