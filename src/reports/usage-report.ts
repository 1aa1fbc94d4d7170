import type { CostRange } from "#money/call-cost.ts";
import type { CostSummary, SummaryEstimation, UnpricedCalls } from "#records/summary.ts";
import type { Axis } from "./axes.ts";
import type { Projection } from "./projection.ts";
import type { Sums } from "./sums.ts";
import type { RemovedPart } from "./totals/removed-usage.ts";

/** Sums of one row, or of a whole block. */
export type Measures = Readonly<Sums> &
  Partial<LoggedMeasures & RentMeasures> & {
    /**
     * Distinct sessions: they do not add up over rows, because a session may be in several. Those whose records were
     * removed count once, in the row of the day and the server where they began.
     */
    readonly sessions: number;
    /** Tokens of all calls: arguments and answers. */
    readonly total_tokens: number;
    /** Tokens that entered contexts: `resident_tokens`, `loaded_tokens` and `total_tokens`. */
    readonly context_tokens: number;
    /** Share of the block's `context_tokens`, 0…1. */
    readonly share: number;
    /** Present when prices were wanted: dollars of the calls that have a price; null when none has. */
    readonly cost_usd?: CostRange | null;
  };

/** The part of a row that is from logs of clients; absent where no log has its calls. */
export type LoggedMeasures = {
  /** Calls that only a log has. */
  readonly imported_calls: number;
  /** Calls that are on the wire and in a log; they count once. */
  readonly paired_calls: number;
  /** Tokens of calls in all prompts after the first that held them. */
  readonly carried_tokens: number;
  /** Prompts after the first that held an answer. */
  readonly rereads: number;
};

/** Definitions of servers in the requests of conversations that logs have; absent where no log has one of the row. */
export type RentMeasures = {
  /** Requests of conversations in which the server was there; of several servers, each counts them. */
  readonly rent_requests: number;
  /** Those of servers whose definitions are not known, which are in no number of tokens. */
  readonly rent_unknown_requests: number;
  /** Tokens of definitions and instructions in all other requests; null where none is known. */
  readonly rent_tokens: number | null;
  /** Present when prices were wanted: dollars of these tokens; null without a price. */
  readonly rent_usd?: number | null;
};

/** The definitions of a server in requests, and its calls, in the period. */
export type ServerRent = RentMeasures & {
  readonly server: string;
  /** Of all estimators. */
  readonly calls: number;
};

/** The members by which a row's axes name it. Null is an unknown name; the tool of definitions is `(definitions)`. */
export type RowKeys = {
  /** `2026-11-22`. */
  readonly day?: string;
  /** The Monday of the week. */
  readonly week?: string;
  /** `2026-11`. */
  readonly month?: string;
  readonly session_id?: string;
  /** Of a session: the UTC time of its first record. */
  readonly began?: string;
  /** The same in the time zone of the report, to the minute. */
  readonly began_local?: string;
  readonly server?: string;
  readonly method?: string;
  readonly tool?: string;
  readonly model?: string | null;
  readonly client?: string | null;
  readonly machine?: string | null;
};

export type UsageRow = RowKeys &
  Measures & {
    /** Present for a row that adds up this many others, which `--top` left out; it has no member of its last axis. */
    readonly more?: number;
  };

/** A table: one row for each value of the axes. Its rows add up to the totals of its block. */
export type UsageTable = { readonly by: readonly Axis[]; readonly rows: readonly UsageRow[] };

/** Calls of one period, without refused and cancelled ones, which have no answer of the server. */
export type TrendSide = {
  readonly calls: number;
  readonly tokens: number;
  /** Null without calls. */
  readonly tokens_per_call: number | null;
};

/** The calls of a tool in both periods. */
export type TrendRow = {
  readonly server: string;
  /** Null for all calls of the server. */
  readonly method: string | null;
  readonly tool: string | null;
  readonly before: TrendSide;
  readonly now: TrendSide;
  /** Change of `tokens_per_call` as a share, 0.1 for 10 % more; null with fewer than ten calls on either side. */
  readonly change: number | null;
  /** Tokens of each of the trend's `days`. */
  readonly daily_tokens: readonly number[];
};

/** Lists of tools of one period. */
export type DefinitionSide = {
  readonly lists: number;
  /** Tokens of the definitions in an average list, as the server lists them; null without a list. */
  readonly tokens_per_list: number | null;
};

/** The definitions of a server, or of one of its tools, in both periods. */
export type DefinitionTrendRow = {
  readonly server: string;
  /** Null for all tools of the server. */
  readonly tool: string | null;
  readonly before: DefinitionSide;
  readonly now: DefinitionSide;
  /** Change of `tokens_per_list` as a share; null for a tool that is new or was removed. */
  readonly change: number | null;
};

/** Each server, followed by its tools whose definitions changed. */
export type DefinitionTrend = {
  readonly rows: readonly DefinitionTrendRow[];
  /** Rows that `--top` left out. */
  readonly more: number;
};

/** This period against the one before. */
export type UsageTrend = {
  readonly before: Pick<UsageReport, "since" | "until" | "first" | "last">;
  /** Days of this period, at most the newest 31. */
  readonly days: readonly string[];
  readonly rows: readonly TrendRow[];
  /** Rows that `--top` left out. */
  readonly more: number;
  readonly definitions: DefinitionTrend;
};

/** Sessions of one estimator: tokens that were counted in different ways are never added up. */
export type UsageBlock = {
  /** Null for sessions without a session record. */
  readonly estimation: SummaryEstimation | null;
  readonly totals: Measures;
  /** Present when prices were wanted: calls of this block without a price. */
  readonly unpriced?: readonly UnpricedCalls[];
  readonly tables: readonly UsageTable[];
  /** Present where logs have conversations: servers that were there, those with the most tokens first. */
  readonly rents?: readonly ServerRent[];
  /** Present when it was asked for. */
  readonly trend?: UsageTrend;
  /** Present from seven whole days on. */
  readonly projection?: Projection;
};

/** The list price of conversations with a call or a server in the period, in dollars; the parts add up to the whole. */
export type ConversationDollars = {
  readonly conversations: number;
  readonly whole_usd: number;
  readonly calls_usd: number;
  /** Of servers that were there, as far as their definitions are known. */
  readonly definitions_usd: number;
  readonly other_usd: number;
  /** Turns of models without a price, which are in no part. */
  readonly unpriced_turns: number;
};

/** A report over time, as `--format json` prints it. */
export type UsageReport = {
  readonly schema_version: "1.0";
  /** UTC; null for a period without a beginning. */
  readonly since: string | null;
  /** UTC, the first moment after the period; null for a period without an end. */
  readonly until: string | null;
  /** IANA name of the time zone of all days. */
  readonly timezone: string;
  /** Present where the records of this machine were read, and it has an id. */
  readonly machine?: string;
  /** The same in that time zone, with the time of the day where it is not a whole day; the end is the last moment. */
  readonly first: string | null;
  readonly last: string | null;
  readonly blocks: readonly UsageBlock[];
  /** Present when prices were wanted. */
  readonly cost?: CostSummary;
  /** Present with prices, for conversations that logs of clients have. */
  readonly conversations?: ConversationDollars;
  /** Present when records of the period were removed, of which daily totals are left. */
  readonly removed?: RemovedPart;
};
