import type { CostRange } from "#records/money/price-book.ts";
import type { LoggedTotals, RentTotals } from "./imported/logged-totals.ts";
import type { ConversationRecord } from "#records/record.ts";
import type { CallDetail } from "./call-kinds.ts";
import type { DayNumber } from "./calendar.ts";
import type { DefinitionList, SessionFacts } from "./session-state.ts";
import type { Sums } from "./sums.ts";

export type UsageFact = CallDetail & {
  readonly session: SessionFacts;
  /** An index: 0 is the reported period, 1 the one that it is compared with. */
  readonly range: number;
  readonly day: DayNumber;
  readonly server: string;
  readonly method: string;
  readonly tool: string | null;
  readonly model: string | null;
  readonly sums: Readonly<Sums>;
  readonly logged?: LoggedTotals;
  readonly rent?: RentTotals;
  readonly cost?: CostRange | null;
  readonly rewriteUsd?: number | null | undefined;
  readonly list?: DefinitionList;
  readonly removedSessions?: number;
  /** Agent and project are known only from logs. */
  readonly agent?: ConversationRecord["kind"] | undefined;
  readonly project?: string | null | undefined;
};
