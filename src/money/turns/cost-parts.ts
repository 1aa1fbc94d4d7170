import type { NanoDollars } from "./turn-prices.ts";

/** The cost of a call in its conversation. Token numbers are estimates, like those of the call. */
export type CallInTurns = {
  /** Writing the arguments. */
  written: NanoDollars;
  /** Reading the answer in the first turn that has it. */
  first: NanoDollars;
  /** Reading the answer in each later turn, and the arguments in each turn after the one that wrote them. */
  carried: NanoDollars;
  /** Tokens of the answer in the first turn that has it. */
  firstTokens: number;
  /** Turns after the first one whose prompts held the answer. */
  rereads: number;
  /** Tokens of those prompts that were the answer or the arguments. */
  carriedTokens: number;
};

/** The cost of a server's definitions and instructions in all turns of a conversation. */
export type Rent = { cost: NanoDollars; tokens: number };

/**
 * The cost of a conversation by its parts. All calls, rents and `other` add up to `whole` exactly; no part exceeds the
 * room that the native counts of its turns leave for it.
 */
export type ConversationCost = {
  /** In the order of the calls. */
  readonly calls: readonly Readonly<CallInTurns>[];
  /** In the order of the definitions. */
  readonly rents: readonly Readonly<Rent>[];
  /** Everything else: prompts of the user and the client, other tools, the model's own text. */
  readonly other: NanoDollars;
  readonly whole: NanoDollars;
  /** Turns whose model has no list price; they are in no sum of money. */
  readonly unpricedTurns: number;
};

/** Tokens of the definitions of each server that stand at the beginning of each prompt. */
export type DefinitionTokens = readonly number[];
