import { expect, test } from "bun:test";
import { flagsAt, widthOf } from "#tokenizer/classes.ts";
import { LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER } from "#tokenizer/layout.ts";
import { vocabulary } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";

const view = await vocabulary("o200k_base");

const CASES: readonly (readonly [string, number])[] = [
  ["A", LETTER | UPPER],
  ["a", LETTER | LOWER],
  ["ǅ", LETTER | UPPER],
  ["ʰ", LETTER | UPPER | LOWER],
  ["中", LETTER | UPPER | LOWER],
  ["𐐀", LETTER | UPPER],
  ["\u0301", UPPER | LOWER],
  ["\u{e0100}", UPPER | LOWER],
  ["7", NUMBER],
  ["½", NUMBER],
  ["𝟘", NUMBER],
  [" ", SPACE],
  ["\u0085", SPACE],
  ["\u3000", SPACE],
  ["\n", SPACE | NEWLINE],
  ["\r", SPACE | NEWLINE],
  ["\u2028", SPACE],
  ["\ufeff", 0],
  ["!", 0],
  ["😀", 0],
  ["\u0000", 0],
  ["\u{10ffff}", 0],
];

test.each(CASES)("flagsAt %j is %d", (character, flags) => {
  expect(flagsAt(utf8(character).bytes, 0, view)).toBe(flags);
});

test("flagsAt agrees with this runtime's classes but for the code points it knows and tiktoken does not", () => {
  const different: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    const isLetter = (flagsAt(utf8(character).bytes, 0, view) & LETTER) > 0;
    if (isLetter !== /\p{L}/u.test(character)) different.push(point.toString(16));
  }
  // Unicode 17 added 4,644 letters to the 141,028 of Unicode 16.
  expect(different).toHaveLength(4644);
  expect(different[0]).toBe("88f");
}, 20_000);

test("widthOf is the number of bytes a code point has", () => {
  for (const character of ["a", "é", "中", "😀"]) {
    const { bytes, end } = utf8(character);
    expect(widthOf(bytes[0] ?? 0)).toBe(end);
  }
});
