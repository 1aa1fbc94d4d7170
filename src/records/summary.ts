import type { CountSource } from "#cost/exact-prices.ts";
import type { Confidence, EstimationMethod } from "#cost/estimation.ts";
import type { ToolDefinition } from "#cost/definitions-cost.ts";
import type { CostRange } from "#money/call-cost.ts";
import type { Overhead } from "#cost/overhead/overhead.ts";
import type { BudgetState } from "./record.ts";
import type { Risk } from "#cost/risk.ts";
import type { ListState } from "#cost/tool-list.ts";

/** The sum of the records of one or more sessions of one estimator; `--summary json` prints it as it is. */
export type Summary = {
  readonly sessions: number;
  readonly servers: readonly string[];
  readonly clients: readonly string[];
  readonly model: string | null;
  /** Null when there was no session record. */
  readonly estimation: SummaryEstimation | null;
  /** Context window in tokens, of which shares are computed. */
  readonly window: number;
  /** Most expensive first. */
  readonly tools: readonly ToolRow[];
  readonly total: TotalRow;
  readonly definitions: DefinitionsSummary | null;
  readonly unused: UnusedSummary | null;
  /** Every budget counter of every session. */
  readonly budgets: readonly BudgetState[];
  /** Present when several sessions have ended: their budgets, added up. */
  readonly budget_sums?: readonly BudgetSum[];
  readonly breaches: number;
  readonly enforced_breaches: number;
  readonly alerts: readonly AlertSummary[];
  readonly repeats: RepeatSummary;
  readonly duplicate_tokens: number;
  readonly protocol: { readonly messages: number; readonly bytes: number; readonly tokens: number };
  readonly truncated_calls: number;
  /** Answers that scripts of the client got: their tokens are the most that a model can have read. */
  readonly scripted_answers: number;
  /** Tokens that budgets count besides those of the calls, because an unknown client may show them. */
  readonly assumed_tokens: number;
  readonly late_answers: number;
  /** Answers without a matching open request. */
  readonly unknown_answers: number;
  readonly opaque_server_lines: number;
  readonly faults: number;
  readonly dropped_records: number;
  readonly observer_faults: number;
  /** Duration of all sessions together in ms. */
  readonly duration_ms: number;
  /** Present when prices were wanted. */
  readonly cost?: CostSummary;
};

/** The prices behind the costs of rows, and the calls that have none. */
export type CostSummary = {
  /** The origin of the prices with its date. */
  readonly prices: string;
  readonly unpriced: readonly UnpricedCalls[];
};

/**
 * One budget over sessions. `spent` is the newest amount of a counter that outlives sessions; else it is that of the
 * session, or of the call, that spent most.
 */
export type BudgetSum = BudgetState & {
  /** Null when the counter is that of all servers. */
  readonly server: string | null;
  /** Sessions that had this budget. */
  readonly sessions: number;
};

/** Calls of a model without a price; null for calls whose model is not known. */
export type UnpricedCalls = { readonly model: string | null; readonly calls: number };

/** The estimation of the sessions, of which the least certain one decides. */
export type SummaryEstimation = {
  /** The estimator's id. */
  readonly estimator: string;
  readonly method: EstimationMethod;
  readonly encoding: string;
  readonly error: string;
  readonly confidence: Confidence;
  readonly is_estimated: boolean;
};

/** Sums over calls, in the row of a tool and in the total row. */
export type TotalRow = {
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  readonly cancelled: number;
  readonly abandoned: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Tokens of everything that the server answered, read or not. */
  readonly wire_tokens: number;
  readonly total_tokens: number;
  /** The part of `total_tokens` that refused calls cost: their arguments and the refusals. No budget pays it. */
  readonly refused_tokens: number;
  /** Tokens of the average call, refused and cancelled ones left out. */
  readonly average_tokens: number;
  /** Tokens of the most expensive call that was not refused. */
  readonly max_tokens: number;
  readonly p95_ms: number;
  readonly risk: Risk;
  /** Present when prices were wanted: dollars of the calls that have a price; null when none has. */
  readonly cost_usd?: CostRange | null;
};

/** Sums over the calls of one tool. */
export type ToolRow = TotalRow & {
  readonly server: string;
  /** Name of the tool or prompt, else the method in parentheses; `(other)` for tools beyond the limit. */
  readonly tool: string;
  readonly method: string;
  /** Share of all tokens, 0…1. */
  readonly share: number;
  readonly duplicate_tokens: number;
  readonly overhead: Overhead | null;
};

/** Sums over the newest definitions of every server. */
export type DefinitionsSummary = {
  /** Tools listed. */
  readonly tools: number;
  readonly tokens: number;
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  /** Deferred definitions that came into the context because their tools were called. */
  readonly loaded_tools: number;
  readonly loaded_tokens: number;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
  /** Present when the model's maker counted all of these definitions. */
  readonly counted_by?: CountSource;
  /** Share of the window, 0…1. */
  readonly share: number;
  /** The five most expensive definitions. */
  readonly most_expensive: readonly ExpensiveDefinition[];
  /** How far the newest list of each server got. */
  readonly lists: readonly ListSummary[];
};

/** The newest list of one server. */
export type ListSummary = {
  readonly server: string;
  readonly state: ListState;
  /** Tools that were listed. */
  readonly tools: number;
};

/** A definition among those of all servers; `percent_total` is its share of the tokens of all of these. */
export type ExpensiveDefinition = ToolDefinition & { readonly server: string };

/** Tools that were listed but never called. */
export type UnusedSummary = {
  readonly unused: number;
  /** All tools that were listed. */
  readonly listed: number;
  /** Tokens that the unused tools take in the context: only their names where definitions are deferred. */
  readonly tokens: number;
  readonly names: readonly string[];
};

/** Alerts of one kind about one tool. */
export type AlertSummary = {
  readonly alert: string;
  readonly tool: string | null;
  /** The highest value of these alerts. */
  readonly value: number;
  /** Of the alert with that value; of several the newest. */
  readonly detail: string;
  readonly count: number;
};

/** Identical calls: the same tool with the same arguments in the same session. */
export type RepeatSummary = {
  /** Without the first of each. */
  readonly calls: number;
  readonly tokens: number;
  /** The tool that was repeated most often. */
  readonly tool: string | null;
};
