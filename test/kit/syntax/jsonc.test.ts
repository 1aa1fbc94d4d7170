import { expect, test } from "bun:test";
import { parseJson, parseJsonc } from "#kit/syntax/jsonc.ts";
import { findOffset } from "#kit/syntax/syntax-tree.ts";

test("parseJson has the value and the places of its parts", () => {
  const read = parseJson('[{"a": [1, 2], "__proto__": {}}]');
  if ("fault" in read) return expect.unreachable(read.fault);
  expect(JSON.stringify(read.value)).toBe('[{"a":[1,2],"__proto__":{}}]');
  expect(findOffset(read.tree, ["0", "a"], "name")).toBe(2);
  expect(findOffset(read.tree, ["0", "a", "1"], "value")).toBe(11);
});

test.each([
  ["", "not valid JSON: a value is missing", 0],
  ["[", 'not valid JSON: a closing "]" is missing', 1],
  ['{"a": 1,}', "not valid JSON: a property name is missing", 8],
  ["// c\n[]", "not valid JSON: JSON has no comments", 0],
  ["[1 2]", "not valid JSON: a comma is missing", 3],
  ["[".repeat(1024 * 1024), "nested too deeply", 0],
])("parseJson of %.20s: %s", (text, fault, offset) => {
  expect(parseJson(text)).toEqual({ fault, offset });
});

test("parseJsonc allows comments and trailing commas", () => {
  expect(parseJsonc('{"a": 1, // c\n}')).toEqual({ value: { a: 1 } });
  expect(parseJsonc("{a}")).toMatchObject({ offset: 1 });
  const nested = '[1.5e3, "\\u00e9", null, true, {"b": {}, "b": [2,],}]';
  expect(parseJsonc(nested)).toEqual({ value: [1500, "é", null, true, { b: [2] }] });
});

test("parseJsonc keeps a member named __proto__, which is no prototype", () => {
  const parsed = parseJsonc('{"a": {"__proto__": {"b": 1}}} // c');
  expect(parsed).toEqual({ value: JSON.parse('{"a": {"__proto__": {"b": 1}}}') });
  expect(JSON.stringify(parsed)).toBe('{"value":{"a":{"__proto__":{"b":1}}}}');
});
