import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  record,
} from "fast-check";
import { completePrices } from "#records/money/price-book.ts";
import type { ModelTurn, TurnCall } from "#records/money/turns/turn.ts";
import { opus } from "../../../support/made-prices.ts";

const haiku = completePrices({ input: 1, output: 5, cacheRead: 0.1, cacheWrite5m: 1.25 });

export const anyTokens = oneof(constant(0), integer({ min: 0, max: 200_000 }));

export const anyTurn: Arbitrary<ModelTurn> = record({
  usage: record({
    uncached: anyTokens,
    cacheRead: anyTokens,
    cacheWrite5m: anyTokens,
    cacheWrite1h: anyTokens,
    output: anyTokens,
    reasoning: anyTokens,
  }),
  prices: constantFrom(opus, haiku, undefined),
  startsOver: boolean(),
});

export const anyCall: Arbitrary<TurnCall> = record({
  argumentTokens: anyTokens,
  answerTokens: anyTokens,
  writtenBy: integer({ min: 0, max: 12 }),
  readBy: option(integer({ min: 0, max: 14 })),
});

const step = record({
  grown: oneof(
    { weight: 8, arbitrary: integer({ min: 0, max: 3_000 }) },
    { weight: 1, arbitrary: integer({ min: -20_000, max: 0 }) },
  ),
  cached: oneof(
    { weight: 6, arbitrary: constant(1) },
    { weight: 1, arbitrary: constant(0) },
    { weight: 2, arbitrary: integer({ min: 0, max: 100 }).map((percent) => percent / 100) },
  ),
  output: integer({ min: 0, max: 500 }),
  reasoning: integer({ min: 0, max: 100 }),
  cacheRead: constantFrom(0.5, 0.5, 0.5, 0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18),
  isPriced: integer({ min: 0, max: 20 }).map((number) => number > 0),
  startsOver: integer({ min: 0, max: 25 }).map((number) => number === 0),
});

export const grownTurns: Arbitrary<readonly ModelTurn[]> = array(step, { maxLength: 80 }).map(
  (steps) => {
    let size = 0;
    let last = 0;
    return steps.map(({ grown, cached, output, reasoning, cacheRead, isPriced, startsOver }) => {
      size = startsOver ? 4_000 : Math.max(0, size + grown + output);
      const read = Math.floor(Math.min(last, size) * cached);
      last = size;
      return {
        usage: {
          uncached: Math.floor((size - read) / 3),
          cacheRead: read,
          cacheWrite5m: size - read - Math.floor((size - read) / 3),
          cacheWrite1h: 0,
          output,
          reasoning,
        },
        prices: isPriced ? { ...opus, cacheRead } : undefined,
        startsOver,
      };
    });
  },
);

export const manyCalls: Arbitrary<readonly TurnCall[]> = array(
  record({
    argumentTokens: integer({ min: 0, max: 60 }),
    answerTokens: integer({ min: 0, max: 900 }),
    writtenBy: integer({ min: 0, max: 80 }),
    wait: option(integer({ min: 1, max: 3 })),
  }),
  { maxLength: 120 },
).map((calls) =>
  calls.map(({ wait, ...call }) => ({
    ...call,
    readBy: wait === null ? null : call.writtenBy + wait,
  })),
);
