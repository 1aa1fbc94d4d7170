import type { NanoDollars } from "./turn-prices.ts";

/** The cost of a call in its conversation. Token numbers are estimates, like those of the call. */
export type CallInTurns = {
  /** Writing the arguments. */
  readonly written: NanoDollars;
  /** Reading the answer in the first turn that has it. */
  readonly first: NanoDollars;
  /** Reading the answer in each later turn, and the arguments in each turn after the one that wrote them. */
  readonly carried: NanoDollars;
  /** Tokens of the answer in the first turn that has it. */
  readonly firstTokens: number;
  /** Turns after the first one whose prompts held the answer. */
  readonly rereads: number;
  /** Tokens of those prompts that were the answer or the arguments. */
  readonly carriedTokens: number;
};

/** Tokens of a server's definitions and instructions in the prompts of a conversation, as the client shows them. */
export type HeldDefinitions = {
  readonly tokens: number;
  /** The first turn whose prompt holds them. */
  readonly from: number;
  /** Contexts that start over at this turn or later do not hold them; absent for definitions that stay. */
  readonly until?: number;
};

/** The cost of a server's definitions and instructions in some turns. */
export type Rent = { cost: NanoDollars; tokens: number };

/**
 * The cost of a conversation by its parts. All calls, rents and `other` add up to `whole` exactly; no part exceeds the
 * room that the native counts of its turns leave for it.
 */
export type ConversationCost = {
  /** In the order of the calls. */
  readonly calls: readonly CallInTurns[];
  /** In the order of the definitions, by the period of the turns. */
  readonly rents: readonly ReadonlyMap<number, Readonly<Rent>>[];
  /** Everything else: prompts of the user and the client, other tools, the model's own text. */
  readonly other: NanoDollars;
  readonly whole: NanoDollars;
  /** Turns whose model has no list price; they are in no sum of money. */
  readonly unpricedTurns: number;
};
