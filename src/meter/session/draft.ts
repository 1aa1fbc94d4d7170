import type { Countable } from "#tokens/cost/countable.ts";
import type { Visibility } from "#tokens/cost/visibility.ts";
import type { Common, MeterRecord } from "#records/record.ts";

export type Draft = {
  readonly bill: Countable;
  /** The finished record, made in one piece: to copy one costs more than to write it. `isUnread` when some text was priced by its length. */
  finish(common: Common, isUnread: boolean): MeterRecord;
  readonly shown?: Shown | undefined;
  /** True when it holds the messages of its call until some of their texts are counted. */
  readonly isLate?: boolean;
};

/** The change that a client makes to an answer that is too long; undefined for none. */
export type Shown = {
  readonly limited:
    | (NonNullable<Visibility["limited"]> & {
        /** True when the texts that it compares with its limit hold text of its own. */
        readonly isFramed: boolean;
        readonly tokens: () => number;
      })
    | undefined;
};
