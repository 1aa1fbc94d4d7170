import type { TokenPrices } from "../token-prices.ts";

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
