import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { isJsonEqual } from "#wire/json.ts";

const value = { a: [1, 1e20, null, "é"], b: { c: true } };
const compact = JSON.stringify(value);

test.each([
  ["compact", compact, true],
  ["indented", JSON.stringify(value, null, 2), true],
  ["in other order", '{"b":{"c":true},"a":[1,1e20,null,"\\u00e9"]}', true],
  ["with white space around", `\n${compact}\n`, true],
  ["another value", compact.replace("true", "false"), false],
  ["one member more", compact.replace("{", '{"z":0,'), false],
  ["an inherited member", '{"a":[1,1e20,null,"é"],"toString":{"c":true}}', false],
  ["an object for an array", compact.replace("[1,1e20", '{"0":1,"1":[1e20').slice(0, -1), false],
  ["prose", "a sentence about it that is long enough", false],
  ["broken", compact.slice(0, -1), false],
  ["empty", "", false],
])("isJsonEqual: %s", (_name, text, expected) => {
  expect(isJsonEqual(text, value, compact)).toBe(expected);
});

test("isJsonEqual: arrays and objects with the same members differ", () => {
  expect(isJsonEqual('{"0":1}', [1], "[1]")).toBe(false);
  expect(isJsonEqual("[1]", { 0: 1 }, '{"0":1}')).toBe(false);
});

test("isJsonEqual: any value equals its own text, in any spelling, and no other's", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.jsonValue(),
      fc.integer({ min: 0, max: 9 }),
      (left, right, indent) => {
        const [isSame, text] = [Bun.deepEquals(left, right), JSON.stringify(left)];
        expect(isJsonEqual(JSON.stringify(left, null, indent), JSON.parse(text), text)).toBe(true);
        if (!isSame) expect(isJsonEqual(text, right, JSON.stringify(right))).toBe(false);
      },
    ),
  );
});

test("isJsonEqual: deep and wide values without recursion", () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  expect(isJsonEqual(` ${deep}`, JSON.parse(deep), deep)).toBe(true);
});
