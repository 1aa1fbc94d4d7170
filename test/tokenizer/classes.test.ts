import { expect, test } from "bun:test";
import { flagsAt, isContinuation, widthOf } from "#tokenizer/classes.ts";
import { LETTER, LOWER, NEWLINE, NUMBER, SPACE, TAIL, UPPER } from "#tokenizer/layout.ts";
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
  ["\n", SPACE | NEWLINE | TAIL],
  ["\r", SPACE | NEWLINE | TAIL],
  ["\u2028", SPACE],
  ["\ufeff", 0],
  ["!", 0],
  ["/", TAIL],
  ["😀", 0],
  ["\u0000", 0],
  ["\u{10ffff}", 0],
];

test.each(CASES)("flagsAt %j is %d", (character, flags) => {
  expect(flagsAt(utf8(character).bytes, 0, view)).toBe(flags);
});

test("flagsAt of a slash is no tail in cl100k_base", async () => {
  const { bytes } = utf8("/\n");
  const cl100k = await vocabulary("cl100k_base");
  expect(flagsAt(bytes, 0, cl100k)).toBe(0);
  expect(flagsAt(bytes, 1, cl100k)).toBe(SPACE | NEWLINE | TAIL);
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

test("isContinuation is true of every byte but a code point's first", () => {
  const characters = ["a", "é", "中", "😀"];
  expect(characters.map((one) => [...Buffer.from(one)].map(isContinuation))).toEqual([
    [false],
    [false, true],
    [false, true, true],
    [false, true, true, true],
  ]);
});
