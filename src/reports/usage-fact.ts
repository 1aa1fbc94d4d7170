import type { CostRange } from "#money/call-cost.ts";
import type { LoggedPart } from "./imported/logged-part.ts";
import type { RentPart } from "./imported/rent-part.ts";
import type { DayNumber } from "./calendar.ts";
import type { DefinitionList } from "./definition-lists.ts";
import type { SessionFacts } from "./session-state.ts";
import type { Sums } from "./sums.ts";

/** Calls of one session, day and tool, or the definitions of one session and server. */
export type UsageFact = {
  readonly session: SessionFacts;
  /** Index of the period among those of the report. */
  readonly range: number;
  readonly day: DayNumber;
  readonly server: string;
  readonly method: string;
  /** Null for a method without tools. */
  readonly tool: string | null;
  readonly model: string | null;
  readonly sums: Readonly<Sums>;
  /** Present where logs of clients have the calls too. */
  readonly logged?: LoggedPart;
  /** Present for definitions in the requests of a conversation that a log has; all sums are then 0. */
  readonly rent?: RentPart;
  /** Present when prices were wanted: of calls in dollars, null without a price. */
  readonly cost?: CostRange | null;
  /** Present for definitions, where lists are wanted and there was room for this one. */
  readonly list?: DefinitionList;
  /** Present for the totals of removed sessions, which `session` stands for: the number of those that began. */
  readonly removedSessions?: number;
};
