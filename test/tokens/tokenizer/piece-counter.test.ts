import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { PieceCounter, cachedPieceBytes, PieceCache } from "#tokens/tokenizer/piece-counter.ts";
import { noRank } from "#tokens/tokenizer/vocabulary-layout.ts";
import { encodings, vocabulary } from "./support/oracle.ts";
import { mergePlainly } from "./support/reference.ts";
import { mixedText } from "./support/texts.ts";
import { utf8 } from "./support/utf8.ts";

for (const encoding of encodings) {
  test(`${encoding}: PieceCounter counts a token as one, anything else as merged, again the same`, async () => {
    const view = await vocabulary(encoding);
    const pieces = new PieceCounter(view);
    fc.assert(
      fc.property(mixedText, (text) => {
        const piece = utf8(text);
        const { end } = piece;
        if (end === 0) return;
        const isToken = end === 1 || view.findRank(piece, 0, end) !== noRank;
        const expected = isToken ? 1 : mergePlainly(piece, 0, end, { vocabulary: view }).length;
        expect(pieces.count(piece, 0, end)).toBe(expected);
        expect(pieces.count(piece, 0, end)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  }, 30_000);
}

test("PieceCache answers 0 or the count that was put for those very bytes", () => {
  const cache = new PieceCache();
  const put = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: cachedPieceBytes }),
      fc.nat(16),
      (text, extra) => {
        const piece = utf8(text + "x".repeat(extra));
        const known = cache.get(piece, 0, text.length);
        expect([0, put.get(text) ?? 0]).toContain(known);
        put.set(text, text.length + 1);
        cache.put(text.length, text.length + 1);
        expect(cache.get(piece, 0, text.length)).toBe(text.length + 1);
      },
    ),
    { numRuns: 2000 },
  );
});

test("PieceCache tells a piece from its beginning", () => {
  const cache = new PieceCache();
  const piece = utf8("abc\u0000\u0000");
  cache.get(piece, 0, 5);
  cache.put(5, 4);
  expect(cache.get(piece, 0, 3)).toBe(0);
  expect(cache.get(piece, 0, 4)).toBe(0);
  expect(cache.get(piece, 0, 5)).toBe(4);
});
