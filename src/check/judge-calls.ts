import type { BudgetState, CallRecord, Outcome, MeterRecord } from "#records/record.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { type UnmetExpectation } from "./expected-content.ts";
import { limitsTool, priceTokens } from "#meter/budgets/accounts.ts";
import { toShownAmount } from "#meter/budgets/counter.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import { type Budget, toNanodollars } from "#meter/budgets/budget.ts";
import { addUp } from "#kit/text/numbers.ts";
import { type PlannedCall, makeAnswerKey } from "./plan-calls.ts";
import { computeAllowedTokens, type GrowthAllowance } from "#lock/lock-limits.ts";

export type JudgedCall = {
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
  readonly cost_usd?: number; // if any budget is in dollars
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

export type CallFault = {
  readonly rule:
    "unknown_tool" | "malformed_answer" | "structure_mismatch" | "structure_not_compared";
  readonly text: string;
};

export type CallAttempt = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly failure?: "unlisted_tool" | "server_failed";
  readonly unmet: readonly UnmetExpectation[];
  readonly fault: CallFault | null;
  readonly requestId: string | number | null;
};

export type CallEvidence = Omit<CallAttempt, "requestId"> & {
  readonly record: CallRecord | undefined;
  readonly lockedAnswer: LockedAnswer | undefined;
};

export function judgeCall(
  evidence: CallEvidence,
  growth: GrowthAllowance,
  prices?: CallPrices,
): JudgedCall {
  const { planned, lockedAnswer } = evidence;
  const { skip } = planned;
  const record = evidence.record ?? unrecordedCall;
  const limit = planned.budgetTokens ?? null;
  const allowedTokens =
    lockedAnswer === undefined ? null : computeAllowedTokens(lockedAnswer.tokens, growth);
  return {
    call: planned.name,
    line: planned.line,
    tool: planned.tool,
    round: evidence.round,
    outcome: skip === undefined ? record.outcome : "skipped",
    skipped: skip === undefined ? null : escapeUnsafe(skip),
    is_error: evidence.isError,
    expected_is_error: planned.isError,
    error: evidence.error,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
    tokens: record.total_tokens,
    ...(prices && { cost_usd: priceCall(evidence, prices) }),
    limit,
    recorded_tokens: lockedAnswer?.tokens ?? null,
    allowed_tokens: allowedTokens,
    duration_ms: record.duration_ms,
    unmet: evidence.unmet,
    fault: evidence.fault?.text ?? null,
    problems: skip === undefined ? listProblems(evidence, limit, allowedTokens) : [],
  };
}

function priceCall({ record, planned: { tool } }: CallEvidence, prices: CallPrices): number {
  // The call was not made, or not metered.
  if (!record) return 0;
  const { total_tokens: tokens, input_tokens: inputTokens } = record;
  const tokenPrice = priceTokens({ tokens, inputTokens }, prices);
  return toShownAmount("dollars", tokenPrice + prices.findToolPrice(tool));
}

const unrecordedCall = {
  outcome: "abandoned",
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  duration_ms: 0,
} as const satisfies Partial<CallRecord>;

function listProblems(
  evidence: CallEvidence,
  limit: number | null,
  allowedTokens: number | null,
): CallProblem[] {
  if (evidence.failure) return [evidence.failure];
  const { total_tokens: tokens } = evidence.record ?? unrecordedCall;
  return [
    ...(evidence.record ? [] : (["not_metered"] as const)),
    ...(exceeds(tokens, limit) ? (["over_budget"] as const) : []),
    ...listOutcomeProblems(evidence),
    ...(exceeds(tokens, allowedTokens) ? (["grew"] as const) : []),
  ];
}

function exceeds(tokens: number, limit: number | null): boolean {
  return limit !== null && tokens > limit;
}

function listOutcomeProblems(evidence: CallEvidence): CallProblem[] {
  const { isAnswered, fault } = evidence;
  // A call may expect an error from the tool, but not that the tool is missing.
  if (fault?.rule === "unknown_tool") return [fault.rule];
  if (!isAnswered) return ["no_answer"];
  return [...(fault ? [fault.rule] : []), ...listExpectationProblems(evidence)];
}

function listExpectationProblems({ isError, planned, unmet }: CallEvidence): CallProblem[] {
  if (isError !== planned.isError) return [isError ? "unexpected_error" : "error_missing"];
  return unmet.length > 0 ? ["unexpected_answer"] : [];
}

type JudgingContext = {
  readonly records: readonly MeterRecord[];
  readonly answers: readonly LockedAnswer[];
  readonly growth: GrowthAllowance;
  readonly hash: (text: string) => string;
  readonly prices?: CallPrices | undefined;
};

export function judgeCalls(
  attempts: readonly CallAttempt[],
  context: JudgingContext,
): JudgedCall[] {
  const records = indexCallRecords(context.records);
  const answers = new Map(context.answers.map((answer) => [answer.key, answer]));
  return attempts.map(({ requestId, ...attempt }) => {
    const record = requestId === null ? undefined : records.get(requestId);
    const lockedAnswer = answers.get(makeAnswerKey(attempt.planned, context.hash));
    return judgeCall({ ...attempt, record, lockedAnswer }, context.growth, context.prices);
  });
}

function indexCallRecords(
  records: readonly MeterRecord[],
): ReadonlyMap<CallRecord["request_id"], CallRecord> {
  const byRequest = new Map<CallRecord["request_id"], CallRecord>();
  for (const record of records) {
    const isToolCall = record.type === "call" && record.method === "tools/call";
    if (isToolCall) byRequest.set(record.request_id, record);
  }
  return byRequest;
}

// For a repeated call, keeps the answer with the most tokens. For a skipped call, copies the one from the old lock.
export function collectAnswers(
  plan: readonly PlannedCall[],
  calls: readonly JudgedCall[],
  lockedAnswers: readonly LockedAnswer[] | undefined,
  hash: (text: string) => string,
): LockedAnswer[] {
  const lockedByKey = new Map(lockedAnswers?.map((answer) => [answer.key, answer]));
  const answers = new Map<string, LockedAnswer>();
  for (const [at, { tool, tokens, skipped }] of calls.entries()) {
    const planned = plan[at];
    if (!planned) continue;
    const key = makeAnswerKey(planned, hash);
    const answer = skipped === null ? { key, tool, tokens } : lockedByKey.get(key);
    if (answer && answer.tokens >= (answers.get(key)?.tokens ?? 0)) answers.set(key, answer);
  }
  return [...answers.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export type BudgetVerdict = Omit<BudgetState, "action" | "breaches"> & {
  readonly is_breached: boolean;
  readonly is_enforced: boolean;
};

export function judgeBudget(
  budget: Budget,
  calls: readonly JudgedCall[],
  prices?: CallPrices,
): BudgetVerdict[] {
  if (budget.tool === null) return [makeVerdict(budget, null, calls, prices)];
  const matching = calls.filter(({ tool }) => limitsTool(budget, tool));
  const tools = new Set(matching.map(({ tool }) => tool));
  return [...tools].map((name) => {
    const toolCalls = matching.filter(({ tool }) => tool === name);
    return makeVerdict(budget, name, toolCalls, prices);
  });
}

function makeVerdict(
  budget: Budget,
  tool: string | null,
  calls: readonly JudgedCall[],
  prices: CallPrices | undefined,
): BudgetVerdict {
  const spent = sumSpent(budget, calls);
  return {
    budget: budget.spec,
    tool,
    limit: toShownAmount(budget.unit, budget.limit),
    unit: budget.unit,
    per: budget.per,
    spent: toShownAmount(budget.unit, spent),
    is_breached: spent > budget.limit,
    ...(budget.unit === "dollars" && prices ? { prices: prices.origin } : {}),
    is_enforced: budget.action !== "warn",
  };
}

function sumSpent({ unit, per }: Budget, calls: readonly JudgedCall[]): number {
  if (unit === "calls") return calls.length;
  const amounts = calls.map(({ tokens, cost_usd: dollars = 0 }) =>
    unit === "dollars" ? toNanodollars(dollars) : tokens,
  );
  return per === "call" ? Math.max(0, ...amounts) : addUp(amounts);
}
