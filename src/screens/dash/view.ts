import type { CounterStatus } from "#meter/budgets/counter.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { WorstCase } from "#lock/recommendations.ts";
import type { AlertKind, Outcome } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type {
  CountedShare,
  Measures,
  TrendRow,
  UsageRow,
  UsageTrend,
} from "#history/reports/usage-report.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";

export const screens = [
  "overview",
  "session",
  "tool",
  "definitions",
  "budgets",
  "trend",
  "advice",
] as const;

export type ViewName = (typeof screens)[number];

// Each period ends now. It begins at the start of a local day, but never before `--since`.
export const periods = ["today", "7d", "30d", "all"] as const;

export type ViewPeriod = (typeof periods)[number];

export const defaultPeriod: ViewPeriod = "7d";

export const reconnectDelayMs = 1_000;

export const periodDays: { readonly [period in ViewPeriod]: number } = {
  today: 1,
  "7d": 7,
  "30d": 30,
  all: Infinity,
};

export type ViewChoice = {
  readonly screen: ViewName;
  readonly period: ViewPeriod;
  readonly server?: string | undefined;
  readonly client?: string | undefined;
  readonly estimator?: string | undefined;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  /** If set, the screens of `screensWithCosts` show costs. */
  readonly cost?: string | undefined;
};

export const choiceNames = ["server", "client", "estimator", "session", "tool", "cost"] as const;

export const screensWithCosts: ReadonlySet<ViewName> = new Set(["overview", "session", "tool"]);

export function showsCosts({ screen, cost }: ViewChoice): boolean {
  return cost !== undefined && screensWithCosts.has(screen);
}

export type ViewRows<R> = { readonly [key: string]: R };

export type View<
  H extends ViewHead = ViewHead,
  T extends { readonly [name: string]: ViewRows<object> } = {
    readonly [name: string]: ViewRows<object>;
  },
> = { readonly head: H; readonly tables: T };

export type ViewHead = {
  readonly screen: ViewName;
  readonly command: string;
  readonly notes: readonly string[];
  readonly servers: readonly string[];
  readonly clients: readonly string[];
  readonly estimators: readonly string[];
  readonly timezone: string;
  readonly first: string | null;
  readonly last: string | null;
  /** The number of days that the page can show, up to today. */
  readonly recorded_days: number;
  /** Null unless one known estimator counted all the tokens. */
  readonly estimation: SummaryEstimation | null;
  readonly counted_by: readonly CountedShare[];
};

export type ToolViewRow = UsageRow & {
  readonly average_tokens: number | null;
  readonly p95_tokens: number | null;
};

export type BucketRow = {
  readonly start: string;
  readonly label: string;
  readonly tokens: readonly number[];
};

export type OverviewView = View<
  ViewHead & {
    readonly totals: Measures | null;
    readonly series: readonly string[];
    readonly bucket: "hour" | "day";
    readonly live_sessions: number;
  },
  {
    readonly tools: ViewRows<ToolViewRow>;
    readonly servers: ViewRows<UsageRow>;
    readonly sessions: ViewRows<UsageRow>;
    readonly clients: ViewRows<UsageRow>;
    readonly buckets: ViewRows<BucketRow>;
  }
>;

export type CallRow = {
  readonly seq: number;
  readonly ts: string;
  readonly time: string;
  readonly offset_ms: number;
  readonly server: string;
  readonly tool: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly visible_tokens: number;
  /** Null, like `duplicate_tokens` and `duration_ms`, if the call comes from a client's log that lacks the number. */
  readonly wire_tokens: number | null;
  readonly duplicate_tokens: number | null;
  readonly duration_ms: number | null;
  readonly outcome: Outcome;
  readonly context_tokens: number;
};

export type MarkRow = {
  readonly seq: number;
  readonly offset_ms: number;
  readonly alert: AlertKind;
  readonly tool: string | null;
  readonly detail: string;
};

export type SessionDetails = {
  readonly began: string;
  readonly began_local: string;
  readonly server: string;
  readonly client: string | null;
  readonly client_version: string | null;
  readonly model: string | null;
  readonly window: number;
  readonly duration_ms: number | null;
  readonly is_live: boolean;
  readonly is_logged: boolean;
};

export type SessionView = View<
  ViewHead & {
    readonly session_id: string;
    readonly session: SessionDetails | null;
    readonly row: UsageRow | null;
    readonly calls_left_out: number;
  },
  { readonly calls: ViewRows<CallRow>; readonly marks: ViewRows<MarkRow> }
>;

export type HistogramRow = { readonly from: number; readonly to: number; readonly calls: number };

export type WorstCaseDetails = {
  readonly tokens: number | null;
  readonly basis: WorstCase["basis"];
  readonly items: number | null;
  readonly item_tokens: number | null;
  readonly is_listed: boolean;
};

export type ToolView = View<
  ViewHead & {
    readonly server: string;
    readonly tool: string;
    readonly row: ToolViewRow | null;
    readonly definition_tokens: number | null;
    readonly worst_case: WorstCaseDetails | null;
    readonly counters: readonly CounterStatus[];
  },
  {
    readonly histogram: ViewRows<HistogramRow>;
    readonly calls: ViewRows<CallRow & { readonly session_id: string; readonly day: string }>;
  }
>;

export type DefinitionRow = Pick<
  ToolDefinition,
  "name" | "tokens" | "name_tokens" | "description_tokens" | "schema_tokens" | "wire_only_tokens"
> & { readonly calls: number };

export type LockFacts = {
  readonly file: string;
  readonly differences: number;
  readonly change_tokens: number | null;
};

export type LockRow = {
  readonly name: string;
  readonly change: "changed" | "added" | "removed";
  readonly before_tokens: number | null;
  readonly after_tokens: number | null;
};

export type ListDetails = {
  readonly listed_local: string;
  readonly tools_total: number;
  readonly total_tokens: number;
  readonly resident_tokens: number;
  readonly instructions_tokens: number;
  readonly is_deferred: boolean;
  readonly never_called: number;
  /** Tokens of uncalled tools: `never_called_tokens` in context, `never_called_listed_tokens` in the full list. */
  readonly never_called_tokens: number;
  readonly never_called_listed_tokens: number;
};

export type DefinitionsView = View<
  ViewHead & {
    readonly server: string | null;
    readonly row: UsageRow | null;
    readonly list: ListDetails | null;
    readonly lock: LockFacts | null;
  },
  { readonly tools: ViewRows<DefinitionRow>; readonly lock: ViewRows<LockRow> }
>;

export type BudgetsView = View<
  ViewHead & { readonly has_counters: boolean },
  { readonly counters: ViewRows<CounterStatus> }
>;

export type TrendView = View<
  ViewHead & {
    readonly before: UsageTrend["before"] | null;
    readonly days: readonly string[];
    readonly tokens: { readonly now: number; readonly before: number };
  },
  { readonly rows: ViewRows<TrendRow> }
>;

/** All advice of one kind. */
export type AdviceRow = {
  readonly rank: number;
  readonly label: string;
  readonly sentence: string;
  readonly members: readonly {
    readonly server: string;
    readonly tool: string | null;
    readonly amount: string | null;
  }[];
  readonly change: string;
  readonly commands: readonly string[];
};

export type AdviceView = View<
  ViewHead & { readonly saved_tokens: number; readonly context_tokens: number },
  { readonly advice: ViewRows<AdviceRow> }
>;

type ScreenViews = {
  readonly overview: OverviewView;
  readonly session: SessionView;
  readonly tool: ToolView;
  readonly definitions: DefinitionsView;
  readonly budgets: BudgetsView;
  readonly trend: TrendView;
  readonly advice: AdviceView;
};

export type AnyView = ScreenViews[ViewName];

// Trusts the dashboard's server to send the head and tables that belong to the screen.
export function isScreenView<S extends ViewName>(
  view: View,
  screen: S,
): view is View & ScreenViews[S] {
  return view.head.screen === screen;
}

export function mayHaveEstimates({ estimation }: ViewHead): boolean {
  return estimation?.is_estimated ?? true;
}

export type ViewDelta = {
  readonly head?: ViewHead;
  readonly tables: {
    readonly [name: string]: {
      readonly set: ViewRows<object>;
      readonly gone: readonly string[];
    };
  };
};

export function diffViews(before: View, next: View): ViewDelta | undefined {
  const tables = Object.entries(next.tables).flatMap(([name, rows]) => {
    const change = diffRows(before.tables[name] ?? {}, rows);
    return change ? [[name, change] as const] : [];
  });
  const isSameHead = JSON.stringify(before.head) === JSON.stringify(next.head);
  if (isSameHead && tables.length === 0) return undefined;
  return { ...(isSameHead ? {} : { head: next.head }), tables: Object.fromEntries(tables) };
}

export function applyDelta(view: View, { head, tables }: ViewDelta): View {
  const changed = Object.entries(tables).map(([name, { set, gone }]) => {
    const goneKeys = new Set(gone);
    const remaining = Object.entries(view.tables[name] ?? {}).filter(([key]) => !goneKeys.has(key));
    return [name, { ...Object.fromEntries(remaining), ...set }] as const;
  });
  return { head: head ?? view.head, tables: { ...view.tables, ...Object.fromEntries(changed) } };
}

function diffRows(
  before: ViewRows<object>,
  next: ViewRows<object>,
): ViewDelta["tables"][string] | undefined {
  const set = Object.entries(next).filter(
    ([key, row]) =>
      !Object.hasOwn(before, key) || JSON.stringify(before[key]) !== JSON.stringify(row),
  );
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(next, key));
  if (set.length === 0 && gone.length === 0) return undefined;
  return { set: Object.fromEntries(set), gone };
}

type CommandChoice = {
  readonly choice: ViewChoice;
  readonly since: string;
  readonly until?: string | undefined;
  readonly timezone: string;
};

const reportOptions: { readonly [screen in Exclude<ViewName, "budgets">]: string } = {
  overview: "--by tool",
  // Without `--tool`, because the page shows the tool's share of its server's tokens.
  tool: "--by tool",
  session: "--by session",
  definitions: "--by server",
  trend: "--trend",
  advice: "--advice",
};

function formatOption(option: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  // A value that starts with a hyphen would be parsed as an option.
  return value.startsWith("-")
    ? [`${option}=${quoteShellWord(value)}`]
    : [option, quoteShellWord(value)];
}

export function formatReportCommand({ choice, since, until, timezone }: CommandChoice): string {
  const { screen, server, client, estimator } = choice;
  if (screen === "budgets") return "mcp-meter budgets";
  return [
    "mcp-meter",
    "report",
    reportOptions[screen],
    ...formatOption("--since", since),
    ...formatOption("--until", until),
    ...formatOption("--server", server),
    ...formatOption("--client", client),
    ...formatOption("--estimator", estimator),
    ...formatOption("--timezone", timezone),
    ...(showsCosts(choice) ? ["--cost"] : []),
  ].join(" ");
}
