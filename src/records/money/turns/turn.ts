import type { TokenPrices } from "../price-book.ts";

/** Native. Cache reads and writes are not in `uncached`; reasoning is in `output`. */
export type TurnUsage = {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
};

export type ModelTurn = {
  readonly usage: TurnUsage;
  readonly prices: TokenPrices | undefined;
  readonly startsOver: boolean;
  readonly period?: number;
};

/** Indexes count turns from 0. */
export type TurnCall = {
  readonly argumentTokens: number;
  readonly answerTokens: number;
  readonly asked: number;
  readonly readBy: number | null;
};

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
