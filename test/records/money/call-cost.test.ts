import { expect, test } from "bun:test";
import { array, assert, integer, property, record } from "fast-check";
import { addCosts, priceCall, noCost, completePrices } from "#records/money/price-book.ts";
import { opus } from "../../support/made-prices.ts";

test("arguments cost as output, an answer as input: from a cache read to an hour's cache write", () => {
  // 1,000 × 25 + 10,000 × 0.5, and 1,000 × 25 + 10,000 × 10, in millionths of a dollar.
  const cost = priceCall({ argumentTokens: 1_000, answerTokens: 10_000 }, opus);
  expect([cost.low.toFixed(6), cost.high.toFixed(6)]).toEqual(["0.075000", "0.125000"]);
});

test("without prices of caches there is one amount", () => {
  const { low, high } = priceCall(
    { argumentTokens: 100, answerTokens: 1_000_000 },
    completePrices({ input: 2, output: 8 }),
  );
  expect([low, high]).toEqual([2.0008, 2.0008]);
});

test("a cache that costs more than input does not lower the low end", () => {
  const odd = completePrices({ input: 1, output: 1, cacheRead: 3 });
  expect(priceCall({ argumentTokens: 0, answerTokens: 1e6 }, odd)).toEqual({ low: 1, high: 1 });
});

test("property: a sum is the same in any order, to the last digit", () => {
  const amounts = array(integer({ min: 0, max: 1e7 }), { minLength: 2, maxLength: 50 });
  assert(
    property(amounts, (tokens) => {
      const costs = tokens.map((answerTokens) =>
        priceCall({ argumentTokens: 0, answerTokens }, opus),
      );
      const sum = costs.reduce(addCosts, noCost);
      expect(costs.toReversed().reduce(addCosts, noCost)).toEqual(sum);
      expect(costs.toSorted((a, b) => a.low - b.low).reduce(addCosts)).toEqual(sum);
    }),
  );
});

test("property: the cost of sums is the sum of costs, and low is never above high", () => {
  const tokens = record({
    argumentTokens: integer({ min: 0, max: 1e6 }),
    answerTokens: integer({ min: 0, max: 1e6 }),
  });
  assert(
    property(tokens, tokens, (first, second) => {
      const total = priceCall(
        {
          argumentTokens: first.argumentTokens + second.argumentTokens,
          answerTokens: first.answerTokens + second.answerTokens,
        },
        opus,
      );
      const parts = [first, second]
        .map((amounts) => priceCall(amounts, opus))
        .reduce(addCosts, noCost);
      expect(parts).toEqual(addCosts(total, noCost));
      expect(total.low).toBeLessThanOrEqual(total.high);
    }),
  );
});
