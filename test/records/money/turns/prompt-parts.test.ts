import { expect, test } from "bun:test";
import { cachedPricesMax, PromptParts, TurnsByPrice } from "#records/money/turns/prompt-parts.ts";
import { CallSums } from "#records/money/turns/turn.ts";

const prices = { cached: 1, fresh: 10, written: 100, total: 0 };

const answer = { call: 0, tokens: 100, isAnswer: true };

test("an answer costs as new at first, and as cached in each later turn until it is cut", () => {
  const sums = new CallSums(1);
  const parts = new PromptParts(sums);
  parts.add(500, [answer]);
  parts.charge({ size: 600, cached: 0, prices });
  for (let turn = 0; turn < 3; turn += 1) {
    parts.add(600, []);
    parts.charge({ size: 600, cached: 600, prices });
  }
  parts.add(600, []);
  parts.charge({ size: 540, cached: 540, prices });
  parts.add(540, []);
  parts.charge({ size: 600, cached: 540, prices });
  parts.clear();
  const [cost] = sums.listCosts();
  expect(cost).toEqual({
    written: 0,
    firstRead: 1_000,
    carried: 3 * 100 + 2 * 40,
    firstReadTokens: 100,
    rereads: 5,
    carriedTokens: 3 * 100 + 2 * 40,
  });
});

test("a context that starts over charges the turns before it, and carries nothing on", () => {
  const sums = new CallSums(1);
  const parts = new PromptParts(sums);
  parts.add(0, [{ ...answer, isAnswer: false }]);
  for (let turn = 0; turn < 3; turn += 1) parts.charge({ size: 100, cached: 100, prices });
  parts.clear();
  parts.charge({ size: 100, cached: 100, prices });
  parts.clear();
  expect(sums.listCosts()[0]).toMatchObject({ carried: 300, rereads: 0 });
});

test("more prices than are counted at once cost the same", () => {
  const sums = new CallSums(1);
  const parts = new PromptParts(sums);
  parts.add(0, [answer]);
  let expected = 0;
  for (let cached = 0; cached <= 2 * cachedPricesMax; cached += 1) {
    parts.charge({ size: 100, cached: 100, prices: { ...prices, cached } });
    expected += 100 * cached;
  }
  parts.clear();
  const { firstRead = 0, carried = 0, rereads } = sums.listCosts()[0] ?? {};
  expect([firstRead + carried, rereads]).toEqual([expected, 2 * cachedPricesMax]);
});

test("many parts find room, whichever of them the context has lost", () => {
  const sums = new CallSums(1);
  const parts = new PromptParts(sums);
  let tokens = 0;
  for (let size = 100; size <= 50_000; size += 100) {
    parts.add(size - 100, [answer]);
    parts.charge({ size, cached: size - 100, prices });
    tokens += size;
  }
  parts.clear();
  const { firstReadTokens = 0, carriedTokens = 0 } = sums.listCosts()[0] ?? {};
  expect(firstReadTokens + carriedTokens).toBe(tokens);
});

test("turns since a mark cost their price each, rounded down in each", () => {
  const turns = new TurnsByPrice(2);
  const marks = new Float64Array(4);
  turns.add(1.5);
  turns.saveCounts(marks, 1);
  turns.add(1.5);
  turns.add(0);
  turns.add(1.5);
  // 3 tokens cost 4.5, rounded down to 4, in each turn with a price.
  expect(turns.priceSince(marks, 1, 3)).toBe(8);
  expect(turns.priceSince(marks, 0, 3)).toBe(12);
});

test("there is room for known prices, and for as many new ones as were writtenBy for", () => {
  const turns = new TurnsByPrice(2);
  turns.add(1);
  expect([turns.hasRoomFor(1), turns.hasRoomFor(2)]).toEqual([true, true]);
  turns.add(2);
  expect([turns.hasRoomFor(2), turns.hasRoomFor(3)]).toEqual([true, false]);
  turns.clear();
  expect(turns.hasRoomFor(3)).toBe(true);
  turns.add(3);
  expect(turns.priceSince(new Float64Array(2), 0, 1)).toBe(3);
});
