import type { Confidence, EstimationMethod } from "#cost/estimation.ts";
import type { ToolDefinition } from "#cost/definitions-cost.ts";
import type { Overhead } from "#cost/overhead.ts";
import type { BudgetState } from "./record.ts";
import type { Risk } from "#cost/risk.ts";

/** What the records of one or more sessions add up to: plain data, printed by a renderer as it is. */
export type Summary = {
  readonly sessions: number;
  readonly servers: readonly string[];
  readonly clients: readonly string[];
  readonly model: string | null;
  /** Null when there was no session record. */
  readonly estimation: SummaryEstimation | null;
  /** Context window in tokens that shares are told of. */
  readonly window: number;
  /** Most expensive first. */
  readonly tools: readonly ToolRow[];
  readonly total: TotalRow;
  readonly definitions: DefinitionsSummary | null;
  readonly unused: UnusedSummary | null;
  readonly budgets: readonly BudgetState[];
  readonly breaches: number;
  readonly enforced_breaches: number;
  readonly alerts: readonly AlertSummary[];
  readonly repeats: RepeatSummary;
  readonly duplicate_tokens: number;
  readonly protocol: { readonly messages: number; readonly bytes: number; readonly tokens: number };
  readonly truncated_calls: number;
  readonly late_answers: number;
  /** Answers that fitted no open request. */
  readonly unknown_answers: number;
  readonly opaque_server_lines: number;
  readonly faults: number;
  readonly dropped_records: number;
  readonly observer_faults: number;
  /** Wall time of the sessions together, in ms. */
  readonly duration_ms: number;
};

export type SummaryEstimation = {
  /** Id of the estimator, or `mixed` when sessions used several. */
  readonly estimator: string;
  readonly method: EstimationMethod | "mixed";
  readonly encoding: string;
  readonly error: string;
  readonly confidence: Confidence;
  readonly is_estimated: boolean;
};

/** Numbers that a tool's row and the total row share. */
export type TotalRow = {
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  readonly cancelled: number;
  readonly abandoned: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Tokens of the average and of the most expensive call. */
  readonly average_tokens: number;
  readonly max_tokens: number;
  readonly p95_ms: number;
  readonly risk: Risk;
};

export type ToolRow = TotalRow & {
  readonly server: string;
  /** Tool or prompt name, `(other)`, or the method in parentheses. */
  readonly tool: string;
  readonly method: string;
  /** Part of the total, 0…1. */
  readonly share: number;
  readonly duplicate_tokens: number;
  readonly overhead: Overhead | null;
};

export type DefinitionsSummary = {
  readonly tools: number;
  readonly tokens: number;
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
  /** Part of the window, 0…1. */
  readonly share: number;
  /** The five most expensive definitions. */
  readonly most_expensive: readonly ToolDefinition[];
};

export type UnusedSummary = {
  readonly unused: number;
  readonly listed: number;
  readonly tokens: number;
  readonly names: readonly string[];
};

export type AlertSummary = {
  readonly alert: string;
  readonly tool: string | null;
  readonly detail: string;
  readonly count: number;
};

export type RepeatSummary = {
  /** Calls that asked the same as an earlier call of the same tool. */
  readonly calls: number;
  readonly tokens: number;
  /** The tool most often repeated. */
  readonly tool: string | null;
};
