import { expect, test } from "bun:test";
import { computeConversationCost } from "#records/money/turns/conversation-cost.ts";
import type { ModelTurn, TurnCall, TurnUsage } from "#records/money/turns/turn.ts";
import { type TokenPrices, completePrices } from "#records/money/price-book.ts";
import { opus } from "../../../support/made-prices.ts";

const haiku = completePrices({ input: 1, output: 5, cacheRead: 0.1, cacheWrite5m: 1.25 });
const nano = 1e9;

function turn(usage: Partial<TurnUsage>, prices: TokenPrices = opus): ModelTurn {
  const none = { uncached: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  return { usage: { ...none, reasoning: 0, ...usage }, prices, startsOver: false };
}

// A prompt of 1,000 tokens, one that writes 10,000 more to the cache, and others that read all of it.
function alwaysCached(rereads: number, prices: TokenPrices): ModelTurn[] {
  const first = turn({ uncached: 1_000 }, prices);
  const second = turn({ cacheRead: 1_000, cacheWrite5m: 10_000 }, prices);
  const later = Array.from({ length: rereads }, () => turn({ cacheRead: 11_000 }, prices));
  return [first, second, ...later];
}

const answer: TurnCall = { argumentTokens: 0, answerTokens: 10_000, writtenBy: 0, readBy: 1 };

test("10,000 tokens in 41 prompts of Opus cost $0.0625 at first and $0.20 after", () => {
  const { calls } = computeConversationCost(alwaysCached(40, opus), [answer]);
  expect(calls).toEqual([
    {
      written: 0,
      firstRead: 0.0625 * nano,
      carried: 0.2 * nano,
      firstReadTokens: 10_000,
      rereads: 40,
      carriedTokens: 400_000,
    },
  ]);
});

test("the same answer in three prompts of Haiku costs $0.0145", () => {
  const [call] = computeConversationCost(alwaysCached(2, haiku), [answer]).calls;
  expect((call?.firstRead ?? 0) + (call?.carried ?? 0)).toBe(0.0145 * nano);
});

test("arguments cost as output, and as input in each later prompt", () => {
  const turns = [
    turn({ uncached: 1_000, output: 200 }),
    turn({ cacheRead: 1_000, uncached: 700 }),
    turn({ cacheRead: 1_700 }),
  ];
  const call = { argumentTokens: 100, answerTokens: 500, writtenBy: 0, readBy: 1 };
  const [cost] = computeConversationCost(turns, [call]).calls;
  // 100 × 25 as output; 500 × 5 as input; then 100 × 5 + 600 × 0.5, all in thousandths of a millionth.
  expect(cost).toEqual({
    written: 2_500_000,
    firstRead: 2_500_000,
    carried: 800_000,
    firstReadTokens: 500,
    rereads: 1,
    carriedTokens: 700,
  });
});

test("an answer larger than the prompt has grown counts as its growth", () => {
  const turns = [turn({ uncached: 1_000, output: 100 }), turn({ cacheRead: 1_000, uncached: 300 })];
  const call = { argumentTokens: 0, answerTokens: 9_000, writtenBy: 0, readBy: 1 };
  const { calls, other, total } = computeConversationCost(turns, [call]);
  expect([calls[0]?.firstRead, total - other]).toEqual([200 * 5_000, 200 * 5_000]);
});

test("half of an answer in the cached beginning costs half as a cache read", () => {
  const turns = [turn({ uncached: 1_000 }), turn({ cacheRead: 1_500, uncached: 500 })];
  const call = { argumentTokens: 0, answerTokens: 1_000, writtenBy: 0, readBy: 1 };
  const [cost] = computeConversationCost(turns, [call]).calls;
  expect(cost?.firstRead).toBe(500 * 500 + 500 * 5_000);
});

test("nothing is carried past a compaction", () => {
  const turns = [
    ...alwaysCached(1, opus),
    { ...turn({ uncached: 2_000 }), startsOver: true },
    turn({ cacheRead: 50_000 }),
  ];
  expect(computeConversationCost(turns, [answer]).calls[0]).toMatchObject({
    rereads: 1,
    carriedTokens: 10_000,
  });
});

test("what a client clears from the context is not carried on", () => {
  const turns = [
    ...alwaysCached(0, opus),
    turn({ cacheRead: 6_000 }),
    turn({ cacheRead: 6_000, uncached: 1_000 }),
  ];
  expect(computeConversationCost(turns, [answer]).calls[0]).toMatchObject({
    rereads: 2,
    carriedTokens: 10_000,
  });
});

test("a short prompt aside, as for a title, clears nothing and belongs to everything else", () => {
  const [first, second, third] = alwaysCached(1, opus);
  const aside = turn({ uncached: 300, output: 10 }, haiku);
  if (!first || !second || !third) throw new Error("three turns");
  const { calls, other } = computeConversationCost([first, second, aside, third], [answer]);
  expect(calls[0]).toMatchObject({ rereads: 1, carriedTokens: 10_000 });
  // The conversation: 1,000 × 5 and twice 1,000 × 0.5; the side turn: 300 × 1 and 10 × 5.
  expect(other).toBe(5_000_000 + 2 * 500_000 + 300_000 + 50_000);
});

test("an answer from before a side request is read by the request after it", () => {
  const [first, second, third] = alwaysCached(1, opus);
  if (!first || !second || !third) throw new Error("three turns");
  const aside = turn({ uncached: 300, output: 10 }, haiku);
  const turns = [first, aside, second, third];
  const { calls } = computeConversationCost(turns, [{ ...answer, readBy: 1 }]);
  expect(calls).toEqual(computeConversationCost([first, second, third], [answer]).calls);
});

test("definitions stand first in each prompt", () => {
  const turns = [turn({ cacheWrite1h: 3_000 }), turn({ cacheRead: 3_000, uncached: 50 })];
  const held = [2_000, 500].map((tokens) => ({ tokens, fromTurn: 0 }));
  const { rents } = computeConversationCost(turns, [], held);
  expect(rents.map((periods) => periods.get(0))).toEqual([
    { cost: 2_000 * 10_000 + 2_000 * 500, tokens: 4_000 },
    { cost: 500 * 10_000 + 500 * 500, tokens: 1_000 },
  ]);
});

test("a turn without list prices is counted and costs nothing", () => {
  const turns = [{ ...turn({ uncached: 1_000 }), prices: undefined }, turn({ uncached: 1_000 })];
  expect(computeConversationCost(turns, [])).toMatchObject({ unpricedTurns: 1, total: 5_000_000 });
});

test("an answer that no turn reads costs only its arguments", () => {
  const call = { argumentTokens: 10, answerTokens: 500, writtenBy: 0, readBy: null };
  const { calls } = computeConversationCost([turn({ uncached: 100, output: 20 })], [call]);
  expect(calls[0]).toMatchObject({ written: 250_000, firstRead: 0, carried: 0 });
});
