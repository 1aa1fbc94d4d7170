import type { TokenPrices } from "./token-prices.ts";

/** Dollars at list prices. */
export type CostRange = { readonly low: number; readonly high: number };

export type TokensByDirection = {
  readonly argumentTokens: number;
  readonly answerTokens: number;
};

const tokensPerPrice = 1e6;

/**
 * Arguments written, and the answer in the first request that carries it. Records do not say whether that request
 * read the answer from a cache or wrote it to one, so it is a range; later requests are not in it.
 */
export function callCost(
  { argumentTokens, answerTokens }: TokensByDirection,
  { input, output, cacheRead, cacheWrite5m, cacheWrite1h }: TokenPrices,
): CostRange {
  const written = argumentTokens * output;
  const lowest = Math.min(input, cacheRead);
  const highest = Math.max(input, cacheWrite5m, cacheWrite1h);
  return {
    low: (written + answerTokens * lowest) / tokensPerPrice,
    high: (written + answerTokens * highest) / tokensPerPrice,
  };
}

/** The order does not matter, as long as the sum is below nine thousand dollars. */
export function addCosts(one: CostRange, other: CostRange): CostRange {
  return { low: exactSum(one.low, other.low), high: exactSum(one.high, other.high) };
}

/** Prices per million tokens have six digits after the point, so each amount is a whole number of these parts. */
const partsPerDollar = 1e12;

function exactSum(one: number, other: number): number {
  return Math.round((one + other) * partsPerDollar) / partsPerDollar;
}

export const noCost: CostRange = { low: 0, high: 0 };
