import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { findPieceEndCl100k, findPieceEndO200k } from "#tokens/tokenizer/tokenizer.ts";
import { Feed, sliceUnits } from "#tokens/tokenizer/feed.ts";
import { type FindPieceEnd, needsMore, PausedRun } from "#tokens/tokenizer/text-count.ts";
import { shortPieceBytes } from "#tokens/tokenizer/piece-counter.ts";
import { vocabulary } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";

const longRun = fc
  .tuple(
    fc.constantFrom(" ", "\n", "\u3000", "a", "A", "中", "ª", "\u0301", "=", "/", "😀", "7", "ſ"),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: -5, max: 5 }),
  )
  .map(([character, slices, off]) => {
    return character.repeat(Math.floor((slices * sliceUnits) / character.length) + off);
  });

const short = fc.constantFrom(
  ..."x, X,\n,\r\n, ,  ,'s,'ll,'ſ,',ª,A,中,!,/,\n/,12,=\n,\u3000".split(","),
  ",",
);

const text = fc
  .array(fc.oneof({ weight: 1, arbitrary: longRun }, { weight: 2, arbitrary: short }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

function resumeToEnd(findEnd: FindPieceEnd, feed: Feed, from: number, run: PausedRun): number {
  feed.load(from, from + shortPieceBytes + 1);
  let end = findEnd(feed, from - feed.base, run);
  while (end === needsMore) end = run.resume(feed);
  return feed.base + end;
}

for (const [encoding, findEnd] of [
  ["o200k_base", findPieceEndO200k],
  ["cl100k_base", findPieceEndCl100k],
] as const) {
  describe(encoding, async () => {
    const view = await vocabulary(encoding);

    test("PausedRun resumes a run as if it had never been paused", () => {
      fc.assert(
        fc.property(text, (pieces) => {
          const bytes = utf8(pieces);
          const feed = new Feed(pieces);
          const run = new PausedRun(view);
          for (let at = 0; at < bytes.end;) {
            const end = findEnd(bytes, at, new PausedRun(view));
            expect(resumeToEnd(findEnd, feed, at, run)).toBe(end);
            at = end;
          }
        }),
        { numRuns: 400 },
      );
    }, 60_000);
  });
}
