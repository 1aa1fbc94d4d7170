import { expect, test } from "bun:test";
import { findCrossing } from "#tokens/tokenizer/cut.ts";
import { findPieceEndO200k } from "#tokens/tokenizer/tokenizer.ts";
import { PieceCounter } from "#tokens/tokenizer/piece-counter.ts";
import { vocabulary } from "./support/oracle.ts";

const view = await vocabulary("o200k_base");
const engine = { vocabulary: view, findEnd: findPieceEndO200k, pieces: new PieceCounter(view) };

test("findCrossing finds the piece that exceeds the limit and the one before", () => {
  const crossing = findCrossing(engine, "one two three four", 2);
  expect(crossing).toMatchObject({
    previous: 3,
    tokensBeforePrevious: 1,
    from: 7,
    to: 13,
    tokensBefore: 2,
  });
});

test("findCrossing knows the code units before a position that has left memory", () => {
  const { feed, from, tokensBefore } = findCrossing(engine, " é".repeat(100_000), 60_000);
  expect(tokensBefore).toBe(60_000);
  // Each piece is a space and two bytes, two code units.
  expect(from).toBe(180_000);
  expect(feed.countUnitsBefore(from)).toBe(120_000);
});
