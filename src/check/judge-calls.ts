import type { Growth } from "#lock/answer-limits.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { type UnmetExpectation, answerKey, type PlannedCall } from "./expectation.ts";
import { type CallFailure, type CallFault, judgeCall, type PlayedCall } from "./played-call.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import { fitsWildcard } from "#kit/text/wildcard.ts";

export type CallAttempt = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly failure?: CallFailure;
  readonly unmet: readonly UnmetExpectation[];
  readonly fault: CallFault | null;
  readonly requestId: string | number | null;
};

type CallTerms = {
  readonly records: readonly MeterRecord[];
  readonly answers: readonly LockedAnswer[];
  readonly growth: Growth;
  readonly hash: (text: string) => string;
};

export function judgeCalls(attempts: readonly CallAttempt[], terms: CallTerms): PlayedCall[] {
  const records = recordsByRequest(terms.records);
  const answers = new Map(terms.answers.map((answer) => [answer.key, answer]));
  return attempts.map(({ requestId, ...attempt }) => {
    const record = requestId === null ? undefined : records.get(requestId);
    const recorded = answers.get(answerKey(attempt.planned, terms.hash));
    return judgeCall({ ...attempt, record, recorded }, terms.growth);
  });
}

function recordsByRequest(
  records: readonly MeterRecord[],
): ReadonlyMap<CallRecord["request_id"], CallRecord> {
  const found = new Map<CallRecord["request_id"], CallRecord>();
  for (const record of records) {
    const isToolCall = record.type === "call" && record.method === "tools/call";
    if (isToolCall) found.set(record.request_id, record);
  }
  return found;
}

export type BudgetVerdict = {
  readonly budget: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  readonly spent: number;
  readonly is_breached: boolean;
  readonly is_enforced: boolean;
};

export function judgeBudget(budget: Budget, calls: readonly PlayedCall[]): BudgetVerdict[] {
  const { tool: pattern } = budget;
  if (pattern === null) return [verdictOn(budget, null, calls)];
  const matching = calls.filter(({ tool }) => fitsWildcard(pattern, tool));
  const tools = new Set(matching.map(({ tool }) => tool));
  return [...tools].map((name) => {
    const own = matching.filter(({ tool }) => tool === name);
    return verdictOn(budget, name, own);
  });
}

function verdictOn(
  budget: Budget,
  tool: string | null,
  calls: readonly PlayedCall[],
): BudgetVerdict {
  const spent = spentBy(budget, calls);
  return {
    budget: budget.spec,
    tool,
    limit: budget.limit,
    unit: budget.unit,
    per: budget.per,
    spent,
    is_breached: spent > budget.limit,
    is_enforced: budget.action !== "warn",
  };
}

function spentBy({ unit, per }: Budget, calls: readonly PlayedCall[]): number {
  if (unit === "calls") return calls.length;
  const tokens = calls.map((call) => call.tokens);
  return per === "call" ? Math.max(0, ...tokens) : tokens.reduce((sum, one) => sum + one, 0);
}
