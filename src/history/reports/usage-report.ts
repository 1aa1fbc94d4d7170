import type { CostRange } from "#records/money/price-book.ts";
import type {
  CostSummary,
  SummaryEstimation,
  UnpricedCalls,
  ViewTraffic,
} from "#records/summary.ts";
import type { Confidence } from "#tokens/cost/estimator.ts";
import type { Sums } from "./usage-sums.ts";

export type Measures = Readonly<Sums> &
  Partial<LoggedMeasures & RentMeasures> & {
    /** A session counts once in each of its rows. After its records are removed, it counts only on the day it began. */
    readonly sessions: number;
    readonly total_tokens: number;
    readonly context_tokens: number;
    readonly share: number;
    readonly cost_usd?: CostRange | null;
    readonly rewrite_usd?: number | null;
  };

/** From client logs; report.schema.json describes the members. */
export type LoggedMeasures = {
  readonly imported_calls: number;
  readonly paired_calls: number;
  readonly carried_tokens: number;
  readonly rereads: number;
};

/** Rent: the tokens of definitions and instructions, counted again for each request of a conversation. */
export type RentMeasures = {
  readonly rent_requests: number;
  readonly rent_unknown_requests: number;
  readonly rent_tokens: number | null;
  readonly rent_usd?: number | null;
};

export type ServerRent = RentMeasures & {
  readonly server: string;
  readonly calls: number;
};

/** Null means unknown. For definitions, `tool` is `(definitions)`. */
export type RowKeys = {
  readonly day?: string;
  readonly week?: string;
  readonly month?: string;
  readonly session_id?: string;
  readonly began?: string;
  readonly began_local?: string;
  /** From the session's first to its newest record. */
  readonly duration_ms?: number;
  readonly server?: string;
  readonly method?: string;
  readonly tool?: string;
  readonly model?: string | null;
  readonly client?: string | null;
  readonly machine?: string | null;
  readonly user?: string | null;
  readonly estimator?: string | null;
  /** Local time, such as `09:00`. */
  readonly hour?: string | null;
  readonly agent?: string | null;
  readonly project?: string | null;
  readonly confidence?: Confidence | null;
};

export type UsageRow = RowKeys &
  Measures & {
    /** The number of rows that are not shown; this row is their sum. */
    readonly more?: number;
  };

export type UsageTable = { readonly by: readonly Axis[]; readonly rows: readonly UsageRow[] };

export type TrendSide = {
  readonly calls: number;
  readonly tokens: number;
  readonly tokens_per_call: number | null;
};

export type TrendRow = {
  readonly server: string;
  readonly method: string | null;
  readonly tool: string | null;
  readonly before: TrendSide;
  readonly now: TrendSide;
  readonly change: number | null;
  readonly daily_tokens: readonly number[];
};

export type DefinitionSide = {
  readonly lists: number;
  readonly tokens_per_list: number | null;
};

export type DefinitionTrendRow = {
  readonly server: string;
  readonly tool: string | null;
  readonly before: DefinitionSide;
  readonly now: DefinitionSide;
  readonly change: number | null;
};

export type DefinitionTrend = {
  readonly rows: readonly DefinitionTrendRow[];
  readonly more: number;
  /** Tool lists left out of the trend, because sizes from different estimators cannot be compared. */
  readonly lists_left_out: number;
};

export type UsageTrend = {
  readonly before: Pick<UsageReport, "since" | "until" | "first" | "last">;
  readonly days: readonly string[];
  readonly rows: readonly TrendRow[];
  readonly more: number;
  readonly total: Pick<TrendRow, "before" | "now" | "change">;
  readonly definitions: DefinitionTrend;
};

export type UsageNumbers = {
  readonly totals: Measures;
  readonly unpriced?: readonly UnpricedCalls[];
  readonly tables: readonly UsageTable[];
  readonly rents?: readonly ServerRent[];
  readonly trend?: UsageTrend;
};

export type UsageBlock = UsageNumbers & { readonly estimation: SummaryEstimation | null };

export type CountedShare = {
  readonly estimation: SummaryEstimation | null;
  readonly context_tokens: number;
  readonly share: number;
};

/** `estimation` is null for tokens of several estimators. */
export type UsageSum = UsageBlock & { readonly counted_by: readonly CountedShare[] };

export type PeriodBefore = Pick<UsageReport, "since" | "until" | "first" | "last"> & {
  readonly calls: number;
  readonly context_tokens: number;
  /** Without refused calls, as in a trend. */
  readonly call_tokens: number;
  /** Logs lack the sizes of definitions. If some calls are known only from logs, only calls are comparable. */
  readonly comparable: "context" | "calls";
};

export type ConversationDollars = {
  readonly conversations: number;
  readonly whole_usd: number;
  readonly calls_usd: number;
  readonly definitions_usd: number;
  readonly other_usd: number;
  readonly unpriced_turns: number;
};

export type RemovedSummary = {
  readonly first: string | null;
  readonly last: string | null;
  readonly sessions: number;
  readonly days_left_out: number;
};

export type UsageReport = {
  readonly schema_version: "1.0";
  readonly since: string | null;
  readonly until: string | null;
  readonly timezone: string;
  readonly machine?: string;
  readonly first: string | null;
  readonly last: string | null;
  readonly sum: UsageSum;
  readonly before?: PeriodBefore;
  readonly blocks: readonly UsageBlock[];
  readonly cost?: CostSummary;
  readonly conversations?: ConversationDollars;
  readonly removed?: RemovedSummary;
  readonly view?: ViewTraffic;
};

// The axes are defined here, so that the option parser need not load the code that adds up records.
export const axes = [
  "hour",
  "day",
  "week",
  "month",
  "session",
  "server",
  "tool",
  "model",
  "client",
  "agent",
  "project",
  "machine",
  "user",
  "estimator",
  "confidence",
] as const;

export type Axis = (typeof axes)[number];

/** Daily totals, which remain after records are removed, cannot be split by session, hour or confidence. */
export function needsRecords(by: readonly Axis[]): boolean {
  return by.some((axis) => axis === "session" || axis === "hour" || axis === "confidence");
}

export function isTimeAxis(axis: Axis): boolean {
  return axis === "hour" || axis === "day" || axis === "week" || axis === "month";
}

/** Logs have the calls of a server, but not the sizes of its definitions. */
export function hasUnknownDefinitions({
  definition_lists: lists,
  imported_calls: imported = 0,
}: Measures): boolean {
  return lists === 0 && imported > 0;
}
