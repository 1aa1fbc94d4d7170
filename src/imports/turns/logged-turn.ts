import type { LoggedUsage } from "../logged-usage.ts";

/** One request of a conversation, and the additions to its prompt since the one before. */
export type LoggedTurn = {
  /** Milliseconds since 1970; null where the log has no time. */
  readonly at: number | null;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  /** The client's own price in dollars; null where it states none. */
  readonly nativeCost: number | null;
  /** True when the context started over before it. */
  readonly startsOver: boolean;
  readonly entered: Entered;
};

/** The additions to a prompt besides the model's own output, as far as the log shows it. */
export type Entered = {
  /** Answers of servers, and their tokens by our estimate; those without a count are `unmeasured`. */
  readonly answers: number;
  readonly answerTokens: number;
  readonly unmeasured: number;
  /** Texts of the user or the client. */
  readonly texts: number;
  /** Results of tools that are not a server's. */
  readonly otherResults: number;
  /** Blocks of reasoning whose tokens the log does not have. */
  readonly hidden: number;
};
