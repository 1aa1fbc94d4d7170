import type { TokenPrices } from "../token-prices.ts";

/** Native tokens of one request to a model. Cache reads and writes are not in `uncached`; reasoning is in `output`. */
export type TurnUsage = {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
};

/** One request of a conversation to its model. */
export type ModelTurn = {
  readonly usage: TurnUsage;
  /** List prices of its model at its time; undefined when it has none. */
  readonly prices: TokenPrices | undefined;
  /** True when the context started over before it, as after a compaction. */
  readonly startsOver: boolean;
  /** Number of the period that it belongs to: rents are sums by it. Absent for 0. */
  readonly period?: number;
};

/** A call as its conversation has it. Indexes count the turns of the conversation from 0. */
export type TurnCall = {
  /** Tokens of the arguments, which the model wrote. */
  readonly argumentTokens: number;
  /** Tokens of the answer, which the model read. */
  readonly answerTokens: number;
  /** The turn that asked for the call. */
  readonly asked: number;
  /** The first turn whose prompt holds the answer; null when no turn does. */
  readonly readBy: number | null;
};
