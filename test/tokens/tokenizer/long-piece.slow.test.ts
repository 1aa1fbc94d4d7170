import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { Feed, type Utf8 } from "#tokens/tokenizer/feed.ts";
import { LongPiece } from "#tokens/tokenizer/piece-counter.ts";
import { Merge } from "#tokens/tokenizer/merge.ts";
import { encodings, vocabulary } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";

const longText = fc.oneof(
  ...[
    "ab",
    "etaoinshrdlu",
    "abcdefghijklmnopqrstuvwxyz",
    "=-_",
    "가나다라마",
    "中文字符",
    "😀😁😂",
  ].map((alphabet) =>
    fc
      .array(fc.constantFrom(...alphabet), { minLength: 200, maxLength: 1200, size: "max" })
      .map((letters) => letters.join("")),
  ),
  fc
    .tuple(fc.constantFrom("a", "=", "ab", "abc", "the", "가", "😀"), fc.nat(900), fc.nat(900))
    .map(([unit, before, after]) => `${unit.repeat(before)}x${unit.repeat(after)}`),
);

function countTokens(text: string, merge: Merge, windowBytes?: number): number {
  const span = { feed: new Feed(text), from: 0, to: Buffer.byteLength(text) };
  const piece = new LongPiece(span, merge, windowBytes);
  while (!piece.advance());
  return piece.tokens;
}

for (const encoding of encodings) {
  describe(encoding, async () => {
    const view = await vocabulary(encoding);
    const merge = new Merge(view);

    test("LongPiece counts in windows what one merge of all counts", () => {
      fc.assert(
        fc.property(longText, (letters) => {
          const text = utf8(letters);
          expect(countTokens(letters, merge)).toBe(merge.run(text, 0, text.end));
        }),
        { numRuns: 400 },
      );
    }, 30_000);

    test("LongPiece goes back and widens windows that are too narrow for the tokens", () => {
      fc.assert(
        fc.property(longText, fc.integer({ min: 4, max: 24 }), (letters, windowBytes) => {
          const text = utf8(letters);
          expect(countTokens(letters, merge, windowBytes)).toBe(merge.run(text, 0, text.end));
        }),
        { numRuns: 400 },
      );
    }, 30_000);

    test("LongPiece compares the whole window with the one before, in every width", () => {
      // Widths that are no multiple of 4 once left up to three bytes at the start uncompared.
      fc.assert(
        fc.property(longText, fc.integer({ min: 4, max: 24 }), (letters, windowBytes) => {
          const text = utf8(letters);
          expect(countTokens(letters, merge, windowBytes)).toBe(merge.run(text, 0, text.end));
        }),
        { numRuns: 400, seed: 1272883242 },
      );
    }, 30_000);

    test("LongPiece goes back where the bytes to the right reach further than a window", () => {
      const letters = chain(view.findRank.bind(view));
      const text = utf8(letters);
      expect(countTokens(letters, merge)).toBe(merge.run(text, 0, text.end));
    });
  });
}

// Each pair of letters is outranked by the next pair, so the right end decides which letters pair up.
function chain(rank: (text: Utf8, from: number, length: number) => number): string {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const pairs = letters.flatMap((left) =>
    letters.map((right) => ({ one: left, other: right, rank: rank(utf8(left + right), 0, 2) })),
  );
  let piece = "q";
  let highest = Infinity;
  for (;;) {
    const last = piece.at(-1);
    const next = pairs
      .filter((pair) => pair.one === last && pair.rank < highest)
      .reduce<(typeof pairs)[number] | undefined>(
        (best, pair) => (best === undefined || pair.rank > best.rank ? pair : best),
        undefined,
      );
    if (next === undefined) return (piece + piece.slice(1)).repeat(20);
    piece += next.other;
    highest = next.rank;
  }
}
