import { expect, test } from "bun:test";
import { array, assert, integer, option, property, record } from "fast-check";
import { promptPartsMax } from "#records/money/turns/prompt-parts.ts";
import {
  computeConversationCost,
  ConversationAccount,
  DefinitionRents,
} from "#records/money/turns/conversation-cost.ts";
import type { ConversationCost, ModelTurn, TurnCall } from "#records/money/turns/turn.ts";
import { opus } from "../../../support/made-prices.ts";
import { anyCall, anyTokens, anyTurn, grownTurns, manyCalls } from "./made-turns.ts";
import { PlainAccount } from "./plain-account.ts";

const anyHeld = record({
  tokens: anyTokens,
  fromTurn: integer({ min: 0, max: 12 }),
  untilTurn: option(integer({ min: 0, max: 14 }), { nil: undefined }),
}).map(({ untilTurn, ...held }) => (untilTurn === undefined ? held : { ...held, untilTurn }));

function parts(cost: ConversationCost): readonly number[] {
  return [
    ...cost.calls.flatMap(({ written, firstRead, carried }) => [written, firstRead, carried]),
    ...cost.rents.flatMap((periods) => [...periods.values()].map((rent) => rent.cost)),
    cost.other,
  ];
}

test("property: calls, rents and everything else add up to the total, and none is negative", () => {
  assert(
    property(
      array(anyTurn, { maxLength: 15 }),
      array(anyCall, { maxLength: 20 }),
      array(anyHeld, { maxLength: 4 }),
      (turns, calls, definitions) => {
        const cost = computeConversationCost(turns, calls, definitions);
        const amounts = parts(cost);
        expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(cost.total);
      },
    ),
    { numRuns: 800 },
  );
});

test("property: in a conversation that grows, parts add up too", () => {
  assert(
    property(grownTurns, manyCalls, array(anyHeld, { maxLength: 4 }), (turns, calls, held) => {
      const cost = computeConversationCost(turns, calls, held);
      const amounts = parts(cost);
      expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(cost.total);
    }),
    { numRuns: 500 },
  );
});

function compare(
  turns: readonly ModelTurn[],
  calls: readonly TurnCall[],
  definitions: readonly number[],
): void {
  const account = new ConversationAccount(
    calls,
    definitions.map((tokens) => ({ tokens, fromTurn: 0 })),
  );
  const plain = new PlainAccount(calls, definitions);
  for (const [index, turn] of turns.entries()) {
    // Includes side turns, which do not contain the conversation.
    account.addTurn(turn, index % 7 === 5);
    plain.take(turn, index % 7 === 5);
  }
  const { rents, ...cost } = account.close();
  const { rents: expected, ...rest } = plain.close();
  expect(cost).toEqual(rest);
  expect(rents.map((periods) => periods.get(0) ?? { cost: 0, tokens: 0 })).toEqual([...expected]);
}

test("property: counted turns cost the same, to the billionth, as turns charged one by one", () => {
  assert(
    property(grownTurns, manyCalls, array(anyTokens, { maxLength: 2 }), (turns, calls, held) => {
      compare(turns, calls, held);
    }),
    { numRuns: 600 },
  );
});

test("property: so do turns of any sizes", () => {
  assert(
    property(
      array(anyTurn, { maxLength: 15 }),
      array(anyCall, { maxLength: 20 }),
      array(anyTokens, { maxLength: 4 }),
      compare,
    ),
    { numRuns: 600 },
  );
});

const none = {
  uncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

test("of more calls than the limit, the oldest count as everything else from then on", () => {
  const many = promptPartsMax + 1;
  const calls = Array.from({ length: many }, () => {
    return { argumentTokens: 0, answerTokens: 1, writtenBy: 0, readBy: 1 };
  });
  const account = new ConversationAccount(calls, []);
  for (const uncached of [0, many, many]) {
    account.addTurn({ usage: { ...none, uncached }, prices: opus, startsOver: false }, false);
  }
  const cost = account.close();
  expect([cost.calls[0]?.firstRead, cost.calls[1]?.firstRead]).toEqual([0, 5_000]);
  expect(cost.other).toBe(2 * 5_000);
});

test("a long conversation over the limit costs the same as turns charged one by one", () => {
  const turns = Array.from({ length: promptPartsMax + 300 }, (_, index): ModelTurn => {
    const isMiss = index % 500 === 499;
    const size = 1_000 + index * 30;
    const cacheRead = isMiss ? 0 : size - 30;
    const usage = { ...none, cacheRead, cacheWrite5m: size - cacheRead, output: 10 };
    return { usage, prices: opus, startsOver: false };
  });
  const calls = turns.map((_, index) => ({
    argumentTokens: index % 3,
    answerTokens: 20,
    writtenBy: index,
    readBy: index + 1,
  }));
  compare(turns, calls, [500]);
});

function growing(turns: number): readonly ModelTurn[] {
  return Array.from({ length: turns }, (_, index) => ({
    usage: { ...none, cacheRead: index * 1_000, uncached: 1_000 },
    prices: opus,
    startsOver: false,
    period: index < 2 ? 0 : 1,
  }));
}

test("definitions are held from a turn on, and cost as input at first and as a cache read after", () => {
  const { rents, other, total } = computeConversationCost(
    growing(4),
    [],
    [{ tokens: 100, fromTurn: 1 }],
  );
  expect([...(rents[0] ?? [])]).toEqual([
    [0, { cost: 100 * 5_000, tokens: 100 }],
    [1, { cost: 2 * 100 * 500, tokens: 200 }],
  ]);
  expect(total - other).toBe(100 * 5_000 + 2 * 100 * 500);
});

test("definitions of a server that is gone stay until the context starts over", () => {
  const turns = growing(4).map((turn, index) => ({ ...turn, startsOver: index === 3 }));
  const { rents } = computeConversationCost(
    turns,
    [],
    [{ tokens: 100, fromTurn: 0, untilTurn: 1 }],
  );
  expect([...(rents[0] ?? [])].map(([, { tokens }]) => tokens)).toEqual([200, 100]);
});

const prices = { cached: 1, fresh: 10, written: 100, total: 0 };

test("a context begins with the definitions of its turn, which shrink to its size", () => {
  const rents = new DefinitionRents([
    { tokens: 100, fromTurn: 0 },
    { tokens: 300, fromTurn: 0 },
    { tokens: 50, fromTurn: 2 },
  ]);
  expect(rents.startOver(0, 200)).toBe(200);
  rents.charge({ size: 200, cached: 0, prices }, 0);
  expect(rents.rents.map((periods) => periods.get(0)?.tokens)).toEqual([50, 150, undefined]);
  expect(rents.cost).toBe(2_000);
});

test("definitions arrive once, and rents are sums by period", () => {
  const rents = new DefinitionRents([{ tokens: 50, fromTurn: 2 }]);
  expect(rents.startOver(0, 200)).toBe(0);
  expect(rents.takeArrivals(1)).toEqual({ definitions: [], tokens: [] });
  expect(rents.takeArrivals(3)).toEqual({ definitions: [0], tokens: [50] });
  expect(rents.takeArrivals(4)).toEqual({ definitions: [], tokens: [] });
  rents.addSpans(200, [0], [50]);
  rents.charge({ size: 250, cached: 250, prices }, 7);
  rents.charge({ size: 250, cached: 250, prices }, 8);
  expect([...(rents.rents[0] ?? [])]).toEqual([
    [7, { cost: 50, tokens: 50 }],
    [8, { cost: 50, tokens: 50 }],
  ]);
});

test("a context that begins later has nothing of a server that is gone", () => {
  const rents = new DefinitionRents([{ tokens: 50, fromTurn: 0, untilTurn: 2 }]);
  expect([rents.startOver(1, 200), rents.startOver(2, 200)]).toEqual([50, 0]);
});
