import type { ModelTurn, TurnUsage } from "./turn.ts";

/** Billionths of a dollar. Whole numbers add up exactly. */
export type NanoDollars = number;

export function inDollars(amount: NanoDollars): number {
  return amount / 1e9;
}

export type TurnPrices = {
  readonly cached: number;
  /** Not from a cache: the average of plain input and of cache writes. */
  readonly fresh: number;
  readonly written: number;
  readonly whole: NanoDollars;
};

const nanoPerToken = 1_000;

const free: TurnPrices = { cached: 0, fresh: 0, written: 0, whole: 0 };

/** A turn without list prices costs nothing here; it must be listed elsewhere. */
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

export function promptTokens({
  uncached,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
}: TurnUsage): number {
  return uncached + cacheRead + cacheWrite5m + cacheWrite1h;
}
