import { expect, test } from "bun:test";
import { listText, valueText, driftValueCharactersMax } from "#lock/drift/change.ts";

test("valueText is a text as it is, canonical JSON of any other value, and null for none", () => {
  expect(valueText("a b")).toBe("a b");
  expect(valueText({ b: 1, a: [true] })).toBe('{"a":[true],"b":1}');
  expect(valueText(null)).toBe("null");
  expect(valueText(undefined)).toBeNull();
});

test("valueText shortens, and never in the middle of a character", () => {
  const long = `${"x".repeat(driftValueCharactersMax - 1)}😀 and more`;
  const shown = valueText(long) ?? "";
  expect(shown).toHaveLength(driftValueCharactersMax + 1);
  expect(shown.isWellFormed()).toBe(true);
  expect(shown).toEndWith("…");
});

test("listText names four values and counts the others", () => {
  expect(listText(["a", 2, null, true])).toBe('"a", 2, null, true');
  expect(listText(["a", "b", "c", "d", "e", "f"])).toBe('"a", "b", "c", "d" and 2 more');
});
