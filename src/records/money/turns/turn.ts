import type { TokenPrices } from "../price-book.ts";

// As the model's maker counts: `uncached` is without cache reads and writes, `output` with reasoning.
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
  readonly startsOver: boolean; // with a new context
  readonly period?: number; // for which rents are summed up
};

export type TurnCall = {
  readonly argumentTokens: number;
  readonly answerTokens: number;
  readonly writtenBy: number; // the index of a turn
  readonly readBy: number | null;
};

// Whole numbers, because these add up exactly.
export type NanoDollars = number;

export function toDollars(amount: NanoDollars): number {
  return amount / 1e9;
}

export type TurnPrices = {
  readonly cached: number;
  readonly fresh: number; // the average of plain input and cache writes
  readonly written: number;
  readonly total: NanoDollars;
};

const nanoPerToken = 1_000;

const free: TurnPrices = { cached: 0, fresh: 0, written: 0, total: 0 };

// A turn without list prices is free here, so the caller must report it.
export function computeTurnPrices({ usage, prices }: ModelTurn): TurnPrices {
  if (!prices) return free;
  const cached = prices.cacheRead * nanoPerToken;
  const written = prices.output * nanoPerToken;
  const freshCost =
    nanoPerToken *
    (usage.uncached * prices.input +
      usage.cacheWrite5m * prices.cacheWrite5m +
      usage.cacheWrite1h * prices.cacheWrite1h);
  const freshTokens = sumPromptTokens(usage) - usage.cacheRead;
  return {
    cached,
    fresh: freshTokens > 0 ? freshCost / freshTokens : cached,
    written,
    total: Math.round(usage.cacheRead * cached + freshCost + usage.output * written),
  };
}

export function sumPromptTokens({
  uncached,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
}: TurnUsage): number {
  return uncached + cacheRead + cacheWrite5m + cacheWrite1h;
}

export class CallSums {
  readonly #written: Float64Array;
  readonly #first: Float64Array;
  readonly #firstTokens: Float64Array;
  readonly #carried: Float64Array;
  readonly #carriedTokens: Float64Array;
  readonly #rereads: Float64Array;

  constructor(calls: number) {
    const makeColumn = (): Float64Array => new Float64Array(calls);
    this.#written = makeColumn();
    this.#first = makeColumn();
    this.#firstTokens = makeColumn();
    this.#carried = makeColumn();
    this.#carriedTokens = makeColumn();
    this.#rereads = makeColumn();
  }

  addWritten(call: number, cost: number): void {
    addTo(this.#written, call, cost);
  }

  addFirst(call: number, cost: number, tokens: number): void {
    addTo(this.#first, call, cost);
    addTo(this.#firstTokens, call, tokens);
  }

  addCarried(call: number, cost: number, tokens: number, rereads: number): void {
    addTo(this.#carried, call, cost);
    addTo(this.#carriedTokens, call, tokens);
    addTo(this.#rereads, call, rereads);
  }

  listCosts(): readonly TurnCallCost[] {
    return Array.from(this.#written, (written, call) => ({
      written,
      first: this.#first[call] ?? 0,
      carried: this.#carried[call] ?? 0,
      firstTokens: this.#firstTokens[call] ?? 0,
      rereads: this.#rereads[call] ?? 0,
      carriedTokens: this.#carriedTokens[call] ?? 0,
    }));
  }
}

function addTo(column: Float64Array, call: number, amount: number): void {
  column[call] = (column[call] ?? 0) + amount;
}

export type TurnCallCost = {
  readonly written: NanoDollars;
  readonly first: NanoDollars;
  readonly carried: NanoDollars;
  readonly firstTokens: number;
  readonly rereads: number;
  readonly carriedTokens: number;
};

// In the context for some turns. The tokens are of the definitions as the client shows them.
export type HeldDefinitions = {
  readonly tokens: number;
  readonly from: number;
  readonly until?: number;
};

// Definitions in all requests that held them: reports print `definitions re-sent`, JSON has `rent_tokens`.
export type Rent = { cost: NanoDollars; tokens: number };

// Calls, rents and `other` add up to exactly `whole`.
export type ConversationCost = {
  readonly calls: readonly TurnCallCost[];
  readonly rents: readonly ReadonlyMap<number, Readonly<Rent>>[];
  readonly other: NanoDollars;
  readonly whole: NanoDollars;
  readonly unpricedTurns: number;
};
