import type { NanoDollars } from "./turn-prices.ts";

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
