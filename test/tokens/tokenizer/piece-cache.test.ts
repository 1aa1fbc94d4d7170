import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { cachedPieceBytes, PieceCache } from "#tokens/tokenizer/piece-counter.ts";
import { utf8 } from "./support/utf8.ts";

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
    { numRuns: 5000 },
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
