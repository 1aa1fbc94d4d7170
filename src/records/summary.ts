import type { Estimation } from "#tokens/cost/estimator.ts";
import type { SkillSums, ToolDefinition, CountSource } from "#tokens/cost/definitions-cost.ts";
import type { CostRange } from "./money/price-book.ts";
import type { Overhead } from "#tokens/cost/answer-overhead/overhead.ts";
import type { BudgetState, BreachRecord, EstimationMembers } from "./record.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import type { ListState } from "#tokens/cost/tool-list.ts";
import { formatCount, formatDollarRange } from "#kit/text/numbers.ts";

export type ViewTraffic = { readonly calls: number; readonly bytes: number };

export type Summary = {
  readonly sessions: number;
  readonly servers: readonly string[];
  readonly clients: readonly string[];
  readonly model: string | null;
  readonly estimation: SummaryEstimation | null;
  readonly window: number;
  readonly tools: readonly ToolRow[];
  readonly total: TotalRow;
  readonly definitions: DefinitionsSummary | null;
  readonly unused: UnusedSummary | null;
  readonly budgets: readonly BudgetState[];
  readonly budget_sums?: readonly BudgetSum[];
  readonly hidden_calls?: number; // of tools that --hide or --only hides
  readonly breaches: number;
  readonly enforced_breaches: number;
  readonly alerts: readonly AlertSummary[];
  readonly repeats: RepeatSummary;
  readonly list_changes?: ListChangeSum;
  readonly duplicate_tokens: number;
  readonly protocol: { readonly messages: number; readonly bytes: number; readonly tokens: number };
  // Requests from the pages of MCP Apps, and requests that fetch these pages. No model reads the answers.
  readonly view: ViewTraffic;
  readonly truncated_calls: number;
  readonly scripted_answers: number; // read by client scripts, so their tokens are an upper bound
  readonly assumed_tokens: number; // beyond total_tokens; a client may show them to the model, so budgets count them
  readonly unclear_messages: number;
  readonly unjudged_bytes: number; // passed on, but not counted before the session ended
  readonly late_answers: number;
  readonly unknown_answers: number;
  readonly opaque_server_lines: number;
  readonly faults: number;
  readonly dropped_records: number;
  readonly observer_faults: number;
  readonly duration_ms: number;
  readonly cost?: CostSummary;
};

// Changes to the model's tool list between calls, and the cached prompt that they invalidated. See docs/cost.md.
export type ListChangeSum = {
  readonly changes: number;
  readonly rewritten_tokens: number; // a lower bound
  readonly rewrite_usd?: number | null;
};

export type CostSummary = {
  readonly prices: string;
  readonly unpriced: readonly UnpricedCalls[];
  readonly assumed?: readonly AssumedModel[]; // for calls without a model
};

export type AssumedModel = {
  readonly client: string | null;
  readonly model: string;
  readonly calls: number;
  readonly is_default: boolean; // the client's default, because neither a log nor the user names a model
};

export type BudgetSum = BudgetState & {
  readonly server: string | null;
  readonly sessions: number;
};

export type UnpricedCalls = { readonly model: string | null; readonly calls: number };

export type SummaryEstimation = Omit<Estimation, "id"> & {
  readonly estimator: string;
  readonly is_estimated: boolean;
};

export type TotalRow = {
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  readonly withheld: number; // part of `refused`: the call ran, but its answer was withheld
  readonly cancelled: number;
  readonly abandoned: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly wire_tokens: number;
  readonly total_tokens: number;
  readonly most_tokens?: number; // present if the model may have read more than `total_tokens`
  readonly refused_tokens: number; // not charged to any budget
  readonly average_tokens: number; // (total - refused tokens) / (calls - refused - cancelled)
  readonly max_tokens: number;
  readonly p95_ms: number;
  readonly risk: Risk;
  readonly cost_usd?: CostRange | null;
};

export type ToolRow = TotalRow & {
  readonly server: string;
  readonly tool: string; // a tool, a prompt, a method in parentheses, or `(other)` beyond `toolRowsMax` rows
  readonly method: string;
  readonly share: number;
  readonly duplicate_tokens: number;
  readonly overhead: Overhead | null;
  readonly shape?: ShapeSum;
};

export type ShapeSum = {
  readonly tables: number;
  readonly rows: number;
  readonly max_rows: number;
  readonly max_columns: number;
  readonly truncated: number;
  readonly cached: number;
  readonly max_row_limit: number;
  readonly limit_reached: number;
};

export type DefinitionsSummary = {
  readonly tools: number;
  readonly tokens: number;
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  readonly loaded_tools: number;
  readonly loaded_tokens: number;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
  readonly skills?: SkillSums;
  readonly hidden_tools?: number; // by --hide and --only; present together with untrimmed_tokens
  readonly untrimmed_tokens?: number; // as the servers listed the tools, before mcp-meter trimmed them
  readonly reordered?: number; // how often the order of tools changed during a session
  readonly counted_by?: CountSource;
  readonly share: number;
  readonly most_expensive: readonly ExpensiveDefinition[];
  readonly lists: readonly ListSummary[];
};

type ListSummary = {
  readonly server: string;
  readonly state: ListState;
  readonly tools: number;
  readonly hidden_tools?: number; // not among `tools`
};

type ExpensiveDefinition = ToolDefinition & { readonly server: string };

export type UnusedSummary = {
  readonly unused: number;
  readonly listed: number;
  readonly tokens: number;
  readonly names: readonly string[];
};

export type AlertSummary = {
  readonly alert: string;
  readonly tool: string | null;
  readonly value: number;
  readonly detail: string;
  readonly count: number;
};

export type RepeatSummary = {
  readonly calls: number;
  readonly tokens: number;
  readonly tool: string | null;
  // Present if `--repeat note` replaced answers.
  readonly notes?: number;
  readonly saved_tokens?: number;
};

export function addCallToSpent({
  unit,
  spent,
  tokens,
  cost_usd: dollars = 0,
}: Pick<BreachRecord, "unit" | "spent" | "tokens" | "cost_usd">): number {
  const amounts = { tokens, calls: 1, dollars };
  return spent + amounts[unit];
}

type BudgetLimit = Pick<BreachRecord, "limit" | "unit">;

export function formatSpent(amount: number, unit: BudgetLimit["unit"]): string {
  return unit === "dollars"
    ? formatDollarRange({ low: amount, high: amount })
    : formatCount(amount);
}

export function formatLimit({ limit, unit }: BudgetLimit): string {
  return unit === "dollars" ? `$${limit}` : formatCount(limit);
}

// "1,200 of 2,000 tokens", "~$0.013 of $5".
export function formatUse(used: number, budget: BudgetLimit): string {
  const { unit } = budget;
  const noun = unit === "dollars" ? "" : ` ${unit}`;
  return `${formatSpent(used, unit)} of ${formatLimit(budget)}${noun}`;
}

export function formatBreachUse(breach: BreachRecord): string {
  return `${formatUse(addCallToSpent(breach), breach)} per ${breach.per}`;
}

export function readEstimation(record: EstimationMembers): SummaryEstimation {
  return {
    estimator: record.estimator,
    method: record.estimation_method,
    encoding: record.estimation_encoding,
    error: record.estimation_error,
    confidence: record.confidence,
    is_estimated: record.is_estimated,
  };
}

export function pickLessCertain(
  a: SummaryEstimation | null,
  b: SummaryEstimation | null,
): SummaryEstimation | null {
  if (!a || !b) return a ?? b;
  const difference = rankCertainty(a) - rankCertainty(b);
  // Between equals, the sort key decides, so that the order of a and b does not matter.
  const picksFirst = difference === 0 ? makeSortKey(a) <= makeSortKey(b) : difference < 0;
  return {
    ...(picksFirst ? a : b),
    is_estimated: a.is_estimated || b.is_estimated,
  };
}

function rankCertainty({ confidence }: SummaryEstimation): number {
  return ["low", "medium", "high"].indexOf(confidence);
}

function makeSortKey({ method, encoding, error }: SummaryEstimation): string {
  return JSON.stringify([method, encoding, error]);
}
