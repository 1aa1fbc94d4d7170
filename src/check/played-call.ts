import type { CallRecord, Outcome } from "#records/record.ts";
import { allowedTokens, type Growth } from "#lock/growth.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import type { PlannedCall } from "./planned-call.ts";

/** The outcome and the cost of one call of a calls file; renderers print it as it is. */
export type PlayedCall = {
  readonly call: string;
  readonly tool: string;
  /** Its place among the repeats of its call, from 1. */
  readonly round: number;
  readonly outcome: Outcome;
  readonly is_error: boolean;
  readonly expected_is_error: boolean;
  /** The tool's own error text, the message of a JSON-RPC error, or the reason for a missing answer. */
  readonly error: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Arguments and answer, which limits apply to. */
  readonly tokens: number;
  /** The call's own budget; null without one. */
  readonly limit: number | null;
  /** Tokens that the lock recorded for this call; null without a recording. */
  readonly recorded_tokens: number | null;
  /** Most tokens that it may take now; null without a recording. */
  readonly allowed_tokens: number | null;
  readonly duration_ms: number;
  readonly problems: readonly CallProblem[];
};

/** A problem's key: code selects problems by it, never by their text. */
export type CallProblem =
  "over_budget" | "unexpected_error" | "error_missing" | "grew" | "not_metered";

/** A call that was made: its plan, its answer and the meter's record of it. */
export type MadeCall = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly error: string | null;
  /** Undefined when the meter did not record it. */
  readonly record: CallRecord | undefined;
  /** The answer in the lock. */
  readonly recorded: LockedAnswer | undefined;
};

/** Judges one call by its own budget, its expected outcome and its recorded answer. */
export function judgeCall(made: MadeCall, growth: Growth): PlayedCall {
  const { planned, recorded } = made;
  const record = made.record ?? unrecorded;
  const { total_tokens: tokens } = record;
  const limit = planned.budgetTokens ?? null;
  const allowed = recorded === undefined ? null : allowedTokens(recorded.tokens, growth);
  return {
    call: planned.name,
    tool: planned.tool,
    round: made.round,
    outcome: record.outcome,
    is_error: made.isError,
    expected_is_error: planned.isError,
    error: made.error,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
    tokens,
    limit,
    recorded_tokens: recorded?.tokens ?? null,
    allowed_tokens: allowed,
    duration_ms: record.duration_ms,
    problems: [
      ...(made.record ? [] : (["not_metered"] as const)),
      ...(exceeds(tokens, limit) ? (["over_budget"] as const) : []),
      ...outcomeProblems(made),
      ...(exceeds(tokens, allowed) ? (["grew"] as const) : []),
    ],
  };
}

/** Stands for the record of a call that the meter missed. */
const unrecorded = {
  outcome: "abandoned",
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  duration_ms: 0,
} as const satisfies Partial<CallRecord>;

function exceeds(tokens: number, limit: number | null): boolean {
  return limit !== null && tokens > limit;
}

function outcomeProblems({ isError, planned }: MadeCall): CallProblem[] {
  if (isError === planned.isError) return [];
  return isError ? ["unexpected_error"] : ["error_missing"];
}
