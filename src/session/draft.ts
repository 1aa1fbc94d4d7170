import type { Countable } from "#cost/countable.ts";
import type { AnswerSize } from "#cost/client-limits.ts";
import type { RecordBody } from "#records/record.ts";

/** A record whose tokens are still being counted. */
export type Draft = {
  readonly bill: Countable;
  /** The finished record; `isUnread` when some text was priced by its length. */
  finish(isUnread: boolean): RecordBody;
  /** The size of an answer as its client shows it, besides the tokens; undefined where there is none. */
  readonly shown?: Shown | undefined;
};

export type Shown = Omit<AnswerSize, "tokens">;
