import type { CallRecord, Outcome } from "#records/record.ts";
import { allowedTokens, type Growth } from "#lock/answer-limits.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { UnmetExpectation, PlannedCall } from "./expectation.ts";

export type PlayedCall = {
  readonly call: string;
  readonly line: number;
  readonly tool: string;
  readonly round: number;
  readonly outcome: Outcome | "skipped";
  readonly skipped: string | null;
  readonly is_error: boolean;
  readonly expected_is_error: boolean;
  readonly error: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly tokens: number;
  readonly limit: number | null;
  readonly recorded_tokens: number | null;
  readonly allowed_tokens: number | null;
  readonly duration_ms: number;
  readonly unmet: readonly UnmetExpectation[];
  readonly fault: string | null;
  readonly problems: readonly CallProblem[];
};

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

export type CallFailure = "unlisted_tool" | "server_failed";

/** No expectation excuses it. */
export type CallFault = {
  readonly rule:
    "unknown_tool" | "malformed_answer" | "structure_mismatch" | "structure_not_compared";
  readonly text: string;
};

export type MadeCall = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly failure?: CallFailure;
  readonly unmet: readonly UnmetExpectation[];
  readonly fault: CallFault | null;
  readonly record: CallRecord | undefined;
  readonly recorded: LockedAnswer | undefined;
};

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

export type CheckFailure = {
  readonly schema_version: "1.0";
  readonly failed: true;
  readonly error: string;
  readonly exit_code: number;
  readonly lock_file: string;
  readonly calls_file: string | null;
  readonly place?: { readonly file: string; readonly line: number };
};
