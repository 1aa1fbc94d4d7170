import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { PieceCounter } from "#tokens/tokenizer/piece-counter.ts";
import { noRank } from "#tokens/tokenizer/layout.ts";
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
        const isToken = end === 1 || view.rank(piece, 0, end) !== noRank;
        const expected = isToken ? 1 : mergePlainly(piece, 0, end, { vocabulary: view }).length;
        expect(pieces.count(piece, 0, end)).toBe(expected);
        expect(pieces.count(piece, 0, end)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  }, 30_000);
}
