import type { ModelTurn, TurnUsage } from "./turn.ts";

/** Billionths of a dollar. Whole numbers of them add up exactly. */
export type NanoDollars = number;

/** Dollars of an amount. */
export function inDollars(amount: NanoDollars): number {
  return amount / 1e9;
}

/** Prices of one token of a turn, in billionths of a dollar. */
export type TurnPrices = {
  /** A token of the prompt that was read from a cache. */
  readonly cached: number;
  /** A token of the prompt that was not: the average of plain input and of cache writes. */
  readonly fresh: number;
  /** A token that the model wrote. */
  readonly written: number;
  /** The whole turn, rounded. */
  readonly whole: NanoDollars;
};

/** Billionths of a dollar per token, of dollars per million tokens. */
const nanoPerToken = 1_000;

/** The prices of a turn without list prices. */
const free: TurnPrices = { cached: 0, fresh: 0, written: 0, whole: 0 };

/** Prices the tokens of one turn. A turn without list prices costs nothing here; it must be listed elsewhere. */
export function turnPrices({ usage, prices }: ModelTurn): TurnPrices {
  if (!prices) return free;
  const cached = prices.cacheRead * nanoPerToken;
  const written = prices.output * nanoPerToken;
  const freshCost =
    nanoPerToken *
    (usage.uncached * prices.input +
      usage.cacheWrite5m * prices.cacheWrite5m +
      usage.cacheWrite1h * prices.cacheWrite1h);
  const freshTokens = promptTokens(usage) - usage.cacheRead;
  return {
    cached,
    fresh: freshTokens > 0 ? freshCost / freshTokens : cached,
    written,
    whole: Math.round(usage.cacheRead * cached + freshCost + usage.output * written),
  };
}

/** Tokens of a prompt, whichever way they are billed. */
export function promptTokens({
  uncached,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
}: TurnUsage): number {
  return uncached + cacheRead + cacheWrite5m + cacheWrite1h;
}
