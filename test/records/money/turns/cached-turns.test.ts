import { expect, test } from "bun:test";
import { CachedTurns } from "#records/money/turns/followed-parts.ts";

test("turns since a mark cost their price each, rounded down in each", () => {
  const turns = new CachedTurns(2);
  const marks = new Float64Array(4);
  turns.add(1.5);
  turns.mark(marks, 1);
  turns.add(1.5);
  turns.add(0);
  turns.add(1.5);
  // 3 tokens cost 4.5, which is 4, in each turn with a price.
  expect(turns.costSince(marks, 1, 3)).toBe(8);
  expect(turns.costSince(marks, 0, 3)).toBe(12);
});

test("there is room for known prices, and for as many new ones as were asked for", () => {
  const turns = new CachedTurns(2);
  turns.add(1);
  expect([turns.hasRoomFor(1), turns.hasRoomFor(2)]).toEqual([true, true]);
  turns.add(2);
  expect([turns.hasRoomFor(2), turns.hasRoomFor(3)]).toEqual([true, false]);
  turns.clear();
  expect(turns.hasRoomFor(3)).toBe(true);
  turns.add(3);
  expect(turns.costSince(new Float64Array(2), 0, 1)).toBe(3);
});
