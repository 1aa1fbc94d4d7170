import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { isHighSurrogate, unitsIn } from "#tokens/tokenizer/code-units.ts";
import { anyText } from "./support/texts.ts";
import { utf8 } from "./support/utf8.ts";

test("unitsIn is the length of the text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { bytes, end } = utf8(text);
      expect(unitsIn(bytes, end)).toBe(text.length);
    }),
  );
});

test("isHighSurrogate is true of the first unit of a pair only", () => {
  expect([..."a中", "😀"].map((text) => isHighSurrogate(text.charCodeAt(0)))).toEqual([
    false,
    false,
    true,
  ]);
  expect([0xd7ff, 0xd800, 0xdbff, 0xdc00].map(isHighSurrogate)).toEqual([false, true, true, false]);
});
