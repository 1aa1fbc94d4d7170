import type { TokenPrices } from "../price-book.ts";

// Tokens as the model's maker counts them: `uncached` excludes cache reads and writes, `output` includes reasoning.
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
  readonly startsOver: boolean; // its context is new
  readonly period?: number; // the cost of definitions is summed for each period separately
};

export type TurnCall = {
  readonly argumentTokens: number;
  readonly answerTokens: number;
  readonly writtenBy: number; // the index of the turn that wrote the arguments
  readonly readBy: number | null; // the index of the turn that first read the answer
};

// Whole numbers, because these add up exactly.
export type NanoDollars = number;

export function toDollars(amount: NanoDollars): number {
  return amount / 1e9;
}

// Nano-dollars per token, but `total` is for the whole turn.
export type TurnPrices = {
  readonly cached: number;
  readonly fresh: number; // the average price of plain input and cache writes
  readonly written: number;
  readonly total: NanoDollars;
};

// One dollar per million tokens is this many nano-dollars per token.
const nanoPerToken = 1_000;

const free: TurnPrices = { cached: 0, fresh: 0, written: 0, total: 0 };

// A turn without prices is free here, so the caller must report it.
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
  readonly #firstRead: Float64Array;
  readonly #firstReadTokens: Float64Array;
  readonly #carried: Float64Array;
  readonly #carriedTokens: Float64Array;
  readonly #rereads: Float64Array;

  constructor(calls: number) {
    this.#written = new Float64Array(calls);
    this.#firstRead = new Float64Array(calls);
    this.#firstReadTokens = new Float64Array(calls);
    this.#carried = new Float64Array(calls);
    this.#carriedTokens = new Float64Array(calls);
    this.#rereads = new Float64Array(calls);
  }

  addWritten(call: number, cost: number): void {
    addTo(this.#written, call, cost);
  }

  addFirstRead(call: number, cost: number, tokens: number): void {
    addTo(this.#firstRead, call, cost);
    addTo(this.#firstReadTokens, call, tokens);
  }

  addCarried(call: number, cost: number, tokens: number, rereads: number): void {
    addTo(this.#carried, call, cost);
    addTo(this.#carriedTokens, call, tokens);
    addTo(this.#rereads, call, rereads);
  }

  listCosts(): readonly TurnCallCost[] {
    return Array.from(this.#written, (written, call) => ({
      written,
      firstRead: this.#firstRead[call] ?? 0,
      carried: this.#carried[call] ?? 0,
      firstReadTokens: this.#firstReadTokens[call] ?? 0,
      rereads: this.#rereads[call] ?? 0,
      carriedTokens: this.#carriedTokens[call] ?? 0,
    }));
  }
}

function addTo(column: Float64Array, call: number, amount: number): void {
  column[call] = (column[call] ?? 0) + amount;
}

export type TurnCallCost = {
  readonly written: NanoDollars; // the arguments, as output
  readonly firstRead: NanoDollars; // the answer in the first prompt that contains it
  readonly carried: NanoDollars; // the answer in later prompts, and the arguments in every prompt that contains them
  readonly firstReadTokens: number;
  readonly rereads: number;
  readonly carriedTokens: number;
};

// Definitions as the model gets them. They are in the context from `fromTurn` until it starts over at or after
// `untilTurn`.
export type HeldDefinitions = {
  readonly tokens: number;
  readonly fromTurn: number;
  readonly untilTurn?: number;
};

// The cost of definitions, summed over all requests that contain them: `definitions re-sent` in reports.
export type Rent = { cost: NanoDollars; tokens: number };

// Calls, rents and `other` add up to exactly `total`.
export type ConversationCost = {
  readonly calls: readonly TurnCallCost[];
  readonly rents: readonly ReadonlyMap<number, Readonly<Rent>>[]; // of each `HeldDefinitions`, by period
  readonly other: NanoDollars;
  readonly total: NanoDollars;
  readonly unpricedTurns: number;
};
