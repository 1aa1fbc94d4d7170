import type { CallRecord, Outcome } from "#records/record.ts";
import { allowedTokens, type Growth } from "#lock/growth.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import type { UnmetExpectation } from "./judge-answer.ts";
import type { PlannedCall } from "./planned-call.ts";

/** The outcome and the cost of one call of a calls file; renderers print it as it is. */
export type PlayedCall = {
  readonly call: string;
  /** Its line in the calls file, from 1. */
  readonly line: number;
  readonly tool: string;
  /** Its place among the repeats of its call, from 1. */
  readonly round: number;
  readonly outcome: Outcome | "skipped";
  /** The reason for not making it; null when it was made. */
  readonly skipped: string | null;
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
  /** Conditions on the answer that do not hold. */
  readonly unmet: readonly UnmetExpectation[];
  /** Why the answer is not one of the tool, or not one that clients accept; null when it is. */
  readonly fault: string | null;
  readonly problems: readonly CallProblem[];
};

/** A problem's key: code selects problems by it, never by their text. */
export type CallProblem =
  | "over_budget"
  | "unexpected_error"
  | "error_missing"
  | "unexpected_answer"
  | "unknown_tool"
  | "malformed_answer"
  | "structure_mismatch"
  | "structure_not_compared"
  | "no_answer"
  | "unlisted_tool"
  | "server_failed"
  | "grew"
  | "not_metered";

/** A problem that leaves nothing else of a call to judge. */
export type CallFailure = "unlisted_tool" | "server_failed";

/** A fault of an answer that no expectation excuses, and a clause about it. */
export type CallFault = {
  readonly rule:
    "unknown_tool" | "malformed_answer" | "structure_mismatch" | "structure_not_compared";
  readonly text: string;
};

/** A call that was made: its plan, its answer and the meter's record of it. */
export type MadeCall = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly isAnswered: boolean;
  readonly error: string | null;
  /** The reason for a call that was not made, or that ended the server; `error` has it in words. */
  readonly failure?: CallFailure;
  readonly unmet: readonly UnmetExpectation[];
  readonly fault: CallFault | null;
  /** Undefined when the meter did not record it. */
  readonly record: CallRecord | undefined;
  /** The answer in the lock. */
  readonly recorded: LockedAnswer | undefined;
};

/**
 * Judges one call by its own budget, its expected outcome, its expected answer and its recorded cost. A call that was
 * skipped has no problems.
 */
export function judgeCall(made: MadeCall, growth: Growth): PlayedCall {
  const { planned, recorded } = made;
  const { skip } = planned;
  const record = made.record ?? unrecorded;
  const limit = planned.budgetTokens ?? null;
  const allowed = recorded === undefined ? null : allowedTokens(recorded.tokens, growth);
  return {
    call: planned.name,
    line: planned.line,
    tool: planned.tool,
    round: made.round,
    outcome: skip === undefined ? record.outcome : "skipped",
    skipped: skip === undefined ? null : escapeUnsafe(skip),
    is_error: made.isError,
    expected_is_error: planned.isError,
    error: made.error,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
    tokens: record.total_tokens,
    limit,
    recorded_tokens: recorded?.tokens ?? null,
    allowed_tokens: allowed,
    duration_ms: record.duration_ms,
    unmet: made.unmet,
    fault: made.fault?.text ?? null,
    problems: skip === undefined ? problemsOf(made, limit, allowed) : [],
  };
}

/** Stands for the record of a call that the meter missed, or that was not made. */
const unrecorded = {
  outcome: "abandoned",
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  duration_ms: 0,
} as const satisfies Partial<CallRecord>;

function problemsOf(made: MadeCall, limit: number | null, allowed: number | null): CallProblem[] {
  if (made.failure) return [made.failure];
  const { total_tokens: tokens } = made.record ?? unrecorded;
  return [
    ...(made.record ? [] : (["not_metered"] as const)),
    ...(exceeds(tokens, limit) ? (["over_budget"] as const) : []),
    ...outcomeProblems(made),
    ...(exceeds(tokens, allowed) ? (["grew"] as const) : []),
  ];
}

function exceeds(tokens: number, limit: number | null): boolean {
  return limit !== null && tokens > limit;
}

function outcomeProblems(made: MadeCall): CallProblem[] {
  const { isAnswered, fault } = made;
  // That a tool does not exist is not the error of the tool which a call may expect.
  if (fault?.rule === "unknown_tool") return [fault.rule];
  if (!isAnswered) return ["no_answer"];
  return [...(fault ? [fault.rule] : []), ...expectationProblems(made)];
}

function expectationProblems({ isError, planned, unmet }: MadeCall): CallProblem[] {
  if (isError !== planned.isError) return [isError ? "unexpected_error" : "error_missing"];
  return unmet.length > 0 ? ["unexpected_answer"] : [];
}
