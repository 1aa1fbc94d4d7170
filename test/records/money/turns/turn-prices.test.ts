import { expect, test } from "bun:test";
import { toDollars, sumPromptTokens, computeTurnPrices } from "#records/money/turns/turn.ts";
import { opus as prices } from "../../../support/made-prices.ts";

const usage = {
  uncached: 100,
  cacheRead: 1_000,
  cacheWrite5m: 200,
  cacheWrite1h: 300,
  output: 40,
  reasoning: 10,
};

test("what is not read from a cache has the average price of input and cache writes", () => {
  // (100 × 5 + 200 × 6.25 + 300 × 10) / 600 dollars per million tokens.
  expect(computeTurnPrices({ usage, prices, startsOver: false })).toEqual({
    cached: 500,
    fresh: 4_750_000 / 600,
    written: 25_000,
    total: 500_000 + 4_750_000 + 1_000_000,
  });
});

test("a prompt that was read from a cache whole has the price of a cache read", () => {
  const cachedOnly = { ...usage, uncached: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  expect(computeTurnPrices({ usage: cachedOnly, prices, startsOver: false }).fresh).toBe(500);
});

test("a turn without list prices costs nothing here", () => {
  const free = computeTurnPrices({ usage, prices: undefined, startsOver: false });
  expect(free).toEqual({ cached: 0, fresh: 0, written: 0, total: 0 });
});

test("a prompt is all that the model read", () => {
  expect(sumPromptTokens(usage)).toBe(1_600);
});

test("billionths of a dollar in dollars", () => {
  expect(toDollars(62_500_000)).toBe(0.0625);
});
