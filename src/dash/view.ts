import type { CounterStatus } from "#budgets/counter-status.ts";
import type { ToolDefinition } from "#cost/definitions-cost.ts";
import type { WorstCase } from "#lock/profiled-tool.ts";
import type { AlertKind, Outcome } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { Measures, TrendRow, UsageRow, UsageTrend } from "#reports/usage-report.ts";

/** The screens of the page, each with a view of its own. */
export const screens = ["overview", "session", "tool", "definitions", "budgets", "trend"] as const;

export type Screen = (typeof screens)[number];

/** The periods of a view: whole local days up to now. `all` is as long as `--since` of the command allows. */
export const periods = ["today", "7d", "30d", "all"] as const;

export type ViewPeriod = (typeof periods)[number];

const days: { readonly [period in ViewPeriod]: number } = {
  today: 1,
  "7d": 7,
  "30d": 30,
  all: Infinity,
};

/** Whole local days of a period, today included; infinite for all. */
export function daysOf(period: ViewPeriod): number {
  return days[period];
}

/** A screen and everything that is chosen for it, as the address of the page has it. */
export type ViewChoice = {
  readonly screen: Screen;
  readonly period: ViewPeriod;
  /** Exact names; without one, all. On the screens of a tool and of definitions, the server itself. */
  readonly server?: string | undefined;
  readonly client?: string | undefined;
  /** Of the numbers: those of different estimators are never added up. Without one, that of the most tokens. */
  readonly estimator?: string | undefined;
  /** The id of a session, on its screen. */
  readonly session?: string | undefined;
  /** A tool, or a method in parentheses such as `(resources/read)`, on its screen. */
  readonly tool?: string | undefined;
};

/** The rows of a table by their keys, which are stable while numbers change. */
export type ViewRows<R> = { readonly [key: string]: R };

/** Everything of a screen: facts that are single, and tables. Rows come in no order; the page sorts them. */
export type View<
  H extends ViewHead = ViewHead,
  T extends { readonly [name: string]: ViewRows<object> } = {
    readonly [name: string]: ViewRows<object>;
  },
> = { readonly head: H; readonly tables: T };

/** Facts that every screen has. */
export type ViewHead = {
  readonly screen: Screen;
  /** The command that prints the same numbers. */
  readonly command: string;
  /** Sentences about the numbers: records that could not be read, bounds that were reached. */
  readonly notes: readonly string[];
  /** Names for the filters, at most 200 of each, most tokens first. */
  readonly servers: readonly string[];
  readonly clients: readonly string[];
  /** Estimators in the period, most tokens first. */
  readonly estimators: readonly string[];
  /** IANA name. */
  readonly timezone: string;
  /** Local days of the period, such as `2026-11-22`; null where it has no beginning. */
  readonly first: string | null;
  readonly last: string | null;
};

/** Facts of a screen whose numbers are from one estimator. */
export type EstimatedHead = ViewHead & {
  /** Null without a session record, or without any record. */
  readonly estimation: SummaryEstimation | null;
};

/** A tool in a table: the row of `report --by tool`, and figures of a single call. */
export type ToolViewRow = UsageRow & {
  readonly average_tokens: number | null;
  readonly p95_tokens: number | null;
};

/** Tokens of one hour or one day. */
export type BucketRow = {
  /** UTC, ISO 8601. */
  readonly start: string;
  /** `14:00` or `2026-11-22`, local. */
  readonly label: string;
  /** Tokens by the index of `series`; the last is of all other tools and of definitions. */
  readonly tokens: readonly number[];
};

export type OverviewView = View<
  EstimatedHead & {
    /** Null without a record in the period. */
    readonly totals: Measures | null;
    /** Names of the stacked parts of the chart: the tools with the most tokens, then `definitions` and `other`. */
    readonly series: readonly string[];
    readonly bucket: "hour" | "day";
    /** Sessions that have no end yet and wrote a record in the last minutes. */
    readonly live_sessions: number;
    /** Present with `--cost`: the sentence about list prices. */
    readonly prices?: string;
  },
  {
    readonly tools: ViewRows<ToolViewRow>;
    readonly servers: ViewRows<UsageRow>;
    readonly sessions: ViewRows<UsageRow>;
    readonly clients: ViewRows<UsageRow>;
    readonly buckets: ViewRows<BucketRow>;
  }
>;

/** One call of a session. */
export type CallRow = {
  readonly seq: number;
  /** UTC, ISO 8601. */
  readonly ts: string;
  /** Local time, `14:02:33`. */
  readonly time: string;
  /** Milliseconds since the session began. */
  readonly offset_ms: number;
  readonly server: string;
  /** The tool, or the method in parentheses. */
  readonly tool: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly visible_tokens: number;
  readonly wire_tokens: number;
  readonly duplicate_tokens: number;
  readonly duration_ms: number;
  readonly outcome: Outcome;
  /** Tokens that the session had put into the context when the call had ended. */
  readonly context_tokens: number;
};

/** An alert of a session. */
export type MarkRow = {
  readonly seq: number;
  readonly offset_ms: number;
  readonly alert: AlertKind;
  readonly tool: string | null;
  readonly detail: string;
};

export type SessionView = View<
  EstimatedHead & {
    readonly session_id: string;
    /** Null when there is no record of such a session. */
    readonly session: {
      /** UTC, ISO 8601. */
      readonly began: string;
      /** Local, to the minute. */
      readonly began_local: string;
      readonly server: string;
      readonly client: string | null;
      readonly client_version: string | null;
      readonly model: string | null;
      /** Context window in tokens; 0 when it is not known. */
      readonly window: number;
      readonly definition_tokens: number;
      readonly context_tokens: number;
      readonly calls: number;
      readonly errors: number;
      readonly refused: number;
      /** Null while it runs, or where it was killed. */
      readonly duration_ms: number | null;
      readonly is_live: boolean;
    } | null;
    /** Calls that are not in the table, which has the newest. */
    readonly calls_left_out: number;
  },
  { readonly calls: ViewRows<CallRow>; readonly marks: ViewRows<MarkRow> }
>;

/** Calls whose tokens are in one class of a histogram. */
export type HistogramRow = { readonly from: number; readonly to: number; readonly calls: number };

export type ToolView = View<
  EstimatedHead & {
    readonly server: string;
    readonly tool: string;
    /** The row of `report --by tool`; null without a call in the period. */
    readonly row: ToolViewRow | null;
    /** Of its newest definition; null without one. */
    readonly definition_tokens: number | null;
    /** Of its answers, by its definition in a lock; null without one. */
    readonly worst_case: {
      /** Null where the definition does not limit the whole answer. */
      readonly tokens: number | null;
      readonly basis: WorstCase["basis"];
      /** Most items; null where the answer is not a bounded list. */
      readonly items: number | null;
      /** Null for a declared size, and without an output schema. */
      readonly item_tokens: number | null;
      /** True when the newest list has the same definition. */
      readonly is_listed: boolean;
    } | null;
    /** Shared budget counters of this tool. */
    readonly counters: readonly CounterStatus[];
  },
  {
    readonly histogram: ViewRows<HistogramRow>;
    /** The newest calls, at most 2,000, for tokens by duration. */
    readonly points: ViewRows<{
      readonly total_tokens: number;
      readonly duration_ms: number;
      readonly outcome: Outcome;
    }>;
    /** The last 20. */
    readonly calls: ViewRows<CallRow & { readonly session_id: string }>;
  }
>;

/** A tool of a list of definitions, with its calls in the period. */
export type DefinitionRow = Pick<
  ToolDefinition,
  "name" | "tokens" | "name_tokens" | "description_tokens" | "schema_tokens" | "wire_only_tokens"
> & { readonly calls: number };

/** A lock, and its comparison with the newest list of its server. */
export type LockFacts = {
  readonly file: string;
  /** Tools that differ. */
  readonly differences: number;
  /** Tokens that the list has more than the lock; null where another estimator counted the lock. */
  readonly change_tokens: number | null;
};

/** A tool that differs from the lock. */
export type LockRow = {
  readonly name: string;
  readonly change: "changed" | "added" | "removed";
  /** In the lock; null where it is not, or where another estimator counted the lock. */
  readonly before_tokens: number | null;
  /** In the newest list; null where it is not. */
  readonly after_tokens: number | null;
};

export type DefinitionsView = View<
  EstimatedHead & {
    /** The chosen server; null when there is no list in the period. */
    readonly server: string | null;
    readonly list: {
      /** UTC, ISO 8601. */
      readonly ts: string;
      readonly tools_total: number;
      readonly total_tokens: number;
      readonly resident_tokens: number;
      readonly instructions_tokens: number;
      readonly is_deferred: boolean;
      readonly never_called: number;
      readonly never_called_tokens: number;
    } | null;
    /** Null without a lock of this server. */
    readonly lock: LockFacts | null;
  },
  { readonly tools: ViewRows<DefinitionRow>; readonly lock: ViewRows<LockRow> }
>;

export type BudgetsView = View<ViewHead, { readonly counters: ViewRows<CounterStatus> }>;

export type TrendView = View<
  EstimatedHead & {
    readonly before: UsageTrend["before"] | null;
    readonly days: readonly string[];
  },
  { readonly rows: ViewRows<TrendRow> }
>;

export type AnyView =
  OverviewView | SessionView | ToolView | DefinitionsView | BudgetsView | TrendView;

/** The changes from one view of a screen to the next. */
export type ViewDelta = {
  /** Present when a fact has changed: all of them. */
  readonly head?: ViewHead;
  readonly tables: {
    readonly [name: string]: {
      readonly set: ViewRows<object>;
      readonly gone: readonly string[];
    };
  };
};
