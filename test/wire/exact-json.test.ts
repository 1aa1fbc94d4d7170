import { describe, expect, test } from "bun:test";
import { parseExactly, writeExactly } from "#wire/written-json.ts";
import { canonicalizeJson, isEqual } from "#wire/json.ts";

describe("parseExactly reads what a double holds:", () => {
  test.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992.0", 9007199254740992],
    ["-0.0", -0],
    ["1.50e1", 15],
    ["0.1", 0.1],
    // C and PHP write 17 digits.
    ["0.10000000000000001", 0.1],
    ["3.0000000000000000e-1", 0.3],
    ["-123.45000000000000284", undefined],
  ])("%s", (source, value) => {
    const read = parseExactly(`[${source}]`);
    expect(isEqual(read, [value])).toBe(value !== undefined);
  });
});

test.each(["9007199254740993", "-9007199254740993.0", "1e400", "1e-400", "0.1234567890123456789"])(
  "parseExactly: %s equals nothing, and is written as it was",
  (source) => {
    const read = parseExactly(`{"b":"c","a":[${source}]}`);
    expect(isEqual(read, JSON.parse(`{"b":"c","a":[${source}]}`))).toBe(false);
    expect(isEqual(read, parseExactly(`{"b":"c","a":[${source}]}`))).toBe(false);
    expect(writeExactly(read, canonicalizeJson)).toBe(`{"a":[${source}],"b":"c"}`);
  },
);

test("parseExactly throws for what is not JSON", () => {
  expect(() => parseExactly("NaN")).toThrow(SyntaxError);
});

test("writeExactly leaves texts alone", () => {
  const value = { a: "\u0000x\u0000", b: ["9", null, true] };
  expect(writeExactly(value, canonicalizeJson)).toBe(canonicalizeJson(value));
});
