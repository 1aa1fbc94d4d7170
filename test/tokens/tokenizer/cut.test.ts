import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Tokenizer } from "#tokens/tokenizer/tokenizer.ts";
import { encodings, tokenizer } from "./support/oracle.ts";
import { anyText, anyUnits, mixedText, runText, wordText } from "./support/texts.ts";

for (const encoding of encodings) {
  test(`${encoding}: cut is the longest beginning that has no more tokens`, async () => {
    const ours = await tokenizer(encoding);
    fc.assert(
      fc.property(
        fc.oneof(mixedText, anyText, anyUnits, runText, wordText),
        fc.nat({ max: 60 }),
        (text, tokensMax) => {
          expect(ours.cut(text, tokensMax)).toBe(longestCut(ours, text, tokensMax));
        },
      ),
      { numRuns: 600 },
    );
  }, 60_000);
}

function longestCut(ours: Tokenizer, text: string, tokensMax: number): number {
  for (let end = text.length; end > 0; end--) {
    const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
    if (!splitsPair && ours.count(text.slice(0, end)) <= tokensMax) return end;
  }
  return 0;
}

test("cut lets a space join the one before it when the long piece it led is cut away", async () => {
  const ours = await tokenizer("cl100k_base");
  expect(ours.cut(`  ${"🇩🇪".repeat(25)}`, 1)).toBe(2);
});

test("cut fits in a text of one long piece, and far into a long text", async () => {
  const ours = await tokenizer("o200k_base");
  for (const text of ["=".repeat(300_000), "中文".repeat(50_000), "hello world\n".repeat(20_000)]) {
    const length = ours.cut(text, 1500);
    expect(ours.count(text.slice(0, length))).toBe(1500);
    expect(ours.count(text.slice(0, length + 1))).toBeGreaterThan(1500);
  }
});

const LONG = 40_000;

test.each([
  ["spaces that a word has the last of", `${" ".repeat(LONG)}x`, LONG - 1, LONG],
  ["newlines before a space and a word", `${"\n".repeat(LONG)} x`, LONG, LONG],
  ["wide spaces", `${"\u3000".repeat(LONG)}x`, LONG - 1, LONG],
  ["symbols that begin with a space", ` ${"=".repeat(LONG)} x`, LONG + 1, LONG + 1],
  ["one letter", `${"a".repeat(LONG)} x`, LONG, LONG],
])("cut behind a long piece of %s", async (_, text, pieceUnits, units) => {
  const ours = await tokenizer("o200k_base");
  const tokens = ours.count(text.slice(0, pieceUnits));
  expect(ours.cut(text, tokens)).toBe(units);
  expect(ours.count(text.slice(0, units))).toBeLessThanOrEqual(tokens);
  expect(ours.count(text.slice(0, units + 1))).toBeGreaterThan(tokens);
});
