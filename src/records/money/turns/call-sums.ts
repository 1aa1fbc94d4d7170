import type { NanoDollars } from "./turn.ts";

export class CallSums {
  readonly #written: Float64Array;
  readonly #first: Float64Array;
  readonly #firstTokens: Float64Array;
  readonly #carried: Float64Array;
  readonly #carriedTokens: Float64Array;
  readonly #rereads: Float64Array;

  constructor(calls: number) {
    const column = (): Float64Array => new Float64Array(calls);
    this.#written = column();
    this.#first = column();
    this.#firstTokens = column();
    this.#carried = column();
    this.#carriedTokens = column();
    this.#rereads = column();
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

  costs(): readonly CallInTurns[] {
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

/** Token numbers are estimates. */
export type CallInTurns = {
  readonly written: NanoDollars;
  readonly first: NanoDollars;
  readonly carried: NanoDollars;
  readonly firstTokens: number;
  readonly rereads: number;
  readonly carriedTokens: number;
};

/** As the client shows them. */
export type HeldDefinitions = {
  readonly tokens: number;
  readonly from: number;
  readonly until?: number;
};

export type Rent = { cost: NanoDollars; tokens: number };

/** Calls, rents and `other` add up to `whole` exactly; no part exceeds the room that native counts leave for it. */
export type ConversationCost = {
  readonly calls: readonly CallInTurns[];
  readonly rents: readonly ReadonlyMap<number, Readonly<Rent>>[];
  readonly other: NanoDollars;
  readonly whole: NanoDollars;
  readonly unpricedTurns: number;
};
