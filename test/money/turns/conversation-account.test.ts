import { expect, test } from "bun:test";
import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
} from "fast-check";
import { followedCallsMax } from "#limits/records.ts";
import { tokenPrices } from "#money/token-prices.ts";
import { conversationCost } from "#money/turns/conversation-cost.ts";
import { ConversationAccount } from "#money/turns/conversation-account.ts";
import type { ModelTurn, TurnCall } from "#money/turns/turn.ts";

const opus = tokenPrices({
  input: 5,
  output: 25,
  cacheRead: 0.5,
  cacheWrite5m: 6.25,
  cacheWrite1h: 10,
});
const haiku = tokenPrices({ input: 1, output: 5, cacheRead: 0.1, cacheWrite5m: 1.25 });

const tokens = oneof(constant(0), integer({ min: 0, max: 200_000 }));

const anyTurn: Arbitrary<ModelTurn> = record({
  usage: record({
    uncached: tokens,
    cacheRead: tokens,
    cacheWrite5m: tokens,
    cacheWrite1h: tokens,
    output: tokens,
    reasoning: tokens,
  }),
  prices: constantFrom(opus, haiku, undefined),
  startsOver: boolean(),
});

const anyCall: Arbitrary<TurnCall> = record({
  argumentTokens: tokens,
  answerTokens: tokens,
  asked: integer({ min: 0, max: 12 }),
  readBy: option(integer({ min: 0, max: 14 })),
});

test("property: calls, rents and everything else add up to the whole, and none is negative", () => {
  assert(
    property(
      array(anyTurn, { maxLength: 15 }),
      array(anyCall, { maxLength: 20 }),
      array(tokens, { maxLength: 4 }),
      (turns, calls, definitions) => {
        const cost = conversationCost(turns, calls, definitions);
        const parts = [
          ...cost.calls.flatMap(({ written, first, carried }) => [written, first, carried]),
          ...cost.rents.map((rent) => rent.cost),
          cost.other,
        ];
        expect(parts.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cost.whole);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("of more calls than the limit, the oldest count as everything else from then on", () => {
  const usage = {
    uncached: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 0,
    reasoning: 0,
  };
  const many = followedCallsMax + 1;
  const calls = Array.from({ length: many }, () => {
    return { argumentTokens: 0, answerTokens: 1, asked: 0, readBy: 1 };
  });
  const account = new ConversationAccount(calls, []);
  for (const uncached of [0, many, many]) {
    account.take({ usage: { ...usage, uncached }, prices: opus, startsOver: false }, false);
  }
  const cost = account.close();
  expect([cost.calls[0]?.first, cost.calls[1]?.first]).toEqual([0, 5_000]);
  expect(cost.other).toBe(2 * 5_000);
});
