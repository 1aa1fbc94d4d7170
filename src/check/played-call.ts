import type { LockedAnswer } from "#lock/lock.ts";
import type { PlannedCall } from "./planned-call.ts";
import type { CallRecord, Outcome } from "#records/record.ts";

/** How one call of a calls file went and what it cost: printed by a renderer as it is. */
export type PlayedCall = {
  readonly call: string;
  readonly tool: string;
  /** Which of its repeats, from 1. */
  readonly round: number;
  readonly outcome: Outcome;
  readonly is_error: boolean;
  readonly expected_is_error: boolean;
  /** What a JSON-RPC error, or the lack of an answer, said. */
  readonly error: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Arguments and answer: what is held against limits. */
  readonly tokens: number;
  /** The call's own budget; null without one. */
  readonly limit: number | null;
  /** Tokens the lock has recorded of this call, and how many it may take now; null without a recording. */
  readonly recorded_tokens: number | null;
  readonly allowed_tokens: number | null;
  readonly duration_ms: number;
  readonly problems: readonly CallProblem[];
};

export type CallProblem =
  "over_budget" | "unexpected_error" | "error_missing" | "grew" | "not_metered";

/** A call that was made: what was planned, what the client saw and what the meter recorded. */
export type MadeCall = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly error: string | null;
  readonly record: CallRecord | undefined;
  readonly recorded: LockedAnswer | undefined;
};

/** Growth of an answer that is let pass: a share of 0…1, or tokens. */
export type Growth = { readonly share: number } | { readonly tokens: number };

/** Judges one call by its own budget, its expected end and its recorded answer. */
export function judgeCall(made: MadeCall, growth: Growth): PlayedCall {
  const { planned, record, recorded, isError } = made;
  const tokens = record?.total_tokens ?? 0;
  const limit = planned.budgetTokens ?? null;
  const allowed = recorded === undefined ? null : allowedTokens(recorded.tokens, growth);
  const problems: CallProblem[] = [];
  if (!record) problems.push("not_metered");
  if (limit !== null && tokens > limit) problems.push("over_budget");
  if (isError && !planned.isError) problems.push("unexpected_error");
  if (!isError && planned.isError) problems.push("error_missing");
  if (allowed !== null && tokens > allowed) problems.push("grew");
  return {
    call: planned.name,
    tool: planned.tool,
    round: made.round,
    outcome: record?.outcome ?? "abandoned",
    is_error: isError,
    expected_is_error: planned.isError,
    error: made.error,
    input_tokens: record?.input_tokens ?? 0,
    output_tokens: record?.output_tokens ?? 0,
    tokens,
    limit,
    recorded_tokens: recorded?.tokens ?? null,
    allowed_tokens: allowed,
    duration_ms: record?.duration_ms ?? 0,
    problems,
  };
}

function allowedTokens(recorded: number, growth: Growth): number {
  return recorded + ("share" in growth ? Math.floor(recorded * growth.share) : growth.tokens);
}
