import type { TokenPrices } from "./token-prices.ts";

/** Dollars: the least and the most that something can cost at list prices. */
export type CostRange = { readonly low: number; readonly high: number };

/** Tokens of a call by direction. */
export type TokensByDirection = {
  /** The arguments, which the model wrote: they are billed as output. */
  readonly argumentTokens: number;
  /** The answer, which the model reads: it is billed as input. */
  readonly answerTokens: number;
};

const tokensPerPrice = 1e6;

/**
 * The cost of a call, once: its arguments written, its answer in the first request that carries it. Records of the wire do
 * not say whether that request read the answer from a cache or wrote it to one, so it is a range, and later requests
 * that carry the answer again are not in it.
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

/** The sum of two ranges. Of any amounts in any order it is the same, as far as their sum is below nine thousand dollars. */
export function addCosts(one: CostRange, other: CostRange): CostRange {
  return { low: exactSum(one.low, other.low), high: exactSum(one.high, other.high) };
}

/** Prices of a million tokens have six digits after the point, so that each amount is a whole number of these parts. */
const partsPerDollar = 1e12;

function exactSum(one: number, other: number): number {
  return Math.round((one + other) * partsPerDollar) / partsPerDollar;
}

/** The cost of nothing. */
export const noCost: CostRange = { low: 0, high: 0 };
