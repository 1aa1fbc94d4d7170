import { expect, test } from "bun:test";
import { space } from "#kit/text/ascii.ts";
import {
  letterFlag,
  lowerFlag,
  newlineFlag,
  notSymbolFlags,
  numberFlag,
  spaceFlag,
  tailFlag,
  upperFlag,
} from "#tokens/tokenizer/vocabulary-layout.ts";
import { readCharacterFlags } from "#tokens/tokenizer/vocabulary.ts";
import { vocabulary } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";

const view = await vocabulary("o200k_base");

const cases: readonly (readonly [string, number])[] = [
  ["A", letterFlag | upperFlag],
  ["a", letterFlag | lowerFlag],
  ["ǅ", letterFlag | upperFlag],
  ["ʰ", letterFlag | upperFlag | lowerFlag],
  ["中", letterFlag | upperFlag | lowerFlag],
  ["𐐀", letterFlag | upperFlag],
  ["\u0301", upperFlag | lowerFlag],
  ["\u{e0100}", upperFlag | lowerFlag],
  ["7", numberFlag],
  ["½", numberFlag],
  ["𝟘", numberFlag],
  [" ", spaceFlag],
  ["\u0085", spaceFlag],
  ["\u3000", spaceFlag],
  ["\n", spaceFlag | newlineFlag | tailFlag],
  ["\r", spaceFlag | newlineFlag | tailFlag],
  ["\u2028", spaceFlag],
  ["\ufeff", 0],
  ["!", 0],
  ["/", tailFlag],
  ["😀", 0],
  ["\u0000", 0],
  ["\u{10ffff}", 0],
];

test.each(cases)("flagsAt %j is %d", (character, flags) => {
  expect(readCharacterFlags(utf8(character).bytes, 0, view)).toBe(flags);
});

test("readCharacterFlags of a slash is not tail in cl100k_base", async () => {
  const { bytes } = utf8("/\n");
  const cl100k = await vocabulary("cl100k_base");
  expect(readCharacterFlags(bytes, 0, cl100k)).toBe(0);
  expect(readCharacterFlags(bytes, 1, cl100k)).toBe(spaceFlag | newlineFlag | tailFlag);
});

test("readCharacterFlags agrees with this runtime's classes but for the code points it knows and tiktoken does not", () => {
  const different: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    const isLetter = (readCharacterFlags(utf8(character).bytes, 0, view) & letterFlag) > 0;
    if (isLetter !== /\p{L}/u.test(character)) different.push(point.toString(16));
  }
  // Unicode 17 added 4,644 letters to the 141,028 of Unicode 16.
  expect(different).toHaveLength(4644);
  expect(different[0]).toBe("88f");
}, 20_000);

test("every flag is a bit of its own, and a symbol has none of notSymbolFlags", () => {
  const flags = [upperFlag, lowerFlag, letterFlag, numberFlag, spaceFlag, newlineFlag, tailFlag];
  expect(flags).toEqual([1, 2, 4, 8, 16, 32, 64]);
  const symbols = ["!", "/", "\u0301", "a", "7", String.fromCharCode(space)].filter(
    (character) => (readCharacterFlags(utf8(character).bytes, 0, view) & notSymbolFlags) === 0,
  );
  expect(symbols).toEqual(["!", "/", "\u0301"]);
});
