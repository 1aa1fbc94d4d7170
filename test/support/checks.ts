import { findAnswerProblems } from "#commands/check/command.ts";
import { findListChangeProblems } from "#check/list-changes-and-faults.ts";
import { reportCheck, type CheckReport } from "#check/report.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import { toNanodollars, type Budget } from "#meter/budgets/budget.ts";
import { judgeLock } from "#lock/lock-report.ts";
import type { CallRecord } from "#records/record.ts";
import { judgeCall, type CallEvidence, type JudgedCall } from "#check/judge-calls.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { plannedCall } from "./planned-call.ts";
import { changedTool, lockedTool, lockWith } from "./locks.ts";

export const plainAnswer = {
  isError: false,
  isAnswered: true,
  error: null,
  unmet: [],
  fault: null,
} as const;

const hostileName = "::error::h\u001b[2J|`<b>&\"'\u202e\ud800\uffff,\n@x]]>";

export const madeCallPrices: CallPrices = {
  origin: "made",
  argumentToken: 20e-6,
  answerToken: 10e-6,
  findToolPrice: (tool) => (tool === "paid" ? toNanodollars(0.005) : 0),
};

export function budgetOf(changes: Partial<Budget> = {}): Budget {
  const plain = { spec: "100", tool: null, limit: 100, unit: "tokens", per: "call" } as const;
  return {
    ...plain,
    isOverall: false,
    owner: "fleet",
    action: "error",
    warnAtPercent: null,
    ...changes,
  };
}

export function playedCall(
  tokens: number,
  changes: Partial<CallEvidence["planned"]> = {},
  round = 1,
  prices?: CallPrices,
): JudgedCall {
  const record = {
    total_tokens: tokens,
    input_tokens: 1,
    output_tokens: tokens - 1,
    outcome: "ok",
    duration_ms: 1_500,
  };
  return judgeCall(
    {
      planned: plannedCall({ name: "call", tool: "tool", ...changes }),
      round,
      ...plainAnswer,
      record: record as CallRecord,
      lockedAnswer: undefined,
    },
    { share: 0.2 },
    prices,
  );
}

const lists = { tools: [], prompts: [], resourceTemplates: [] };

export function failureOf(error: string, lock_file = "a.lock") {
  const failed = { schema_version: "1.0", failed: true, exit_code: 3, calls_file: null } as const;
  return { ...failed, error, lock_file };
}

export function fullReport(): CheckReport {
  const name = hostileName;
  const before = lockWith([lockedTool({ name }), lockedTool({ name: "removed" })]);
  const after = [changedTool({ name, is_bounded: false }), lockedTool({ name: `new ${name}` })];
  const now = lockWith(after, { server: { ...before.server, name, version: "2" } });
  const question = {
    lockFile: "locks/a b.lock",
    limits: { maxToolTokens: 10 },
    failOn: "risky",
    thresholds: riskThresholdsDefault,
    base: { name: `base ${name}`, lock: lockWith([lockedTool({ name, is_bounded: false })]) },
  } as const;
  return reportCheck({
    definitions: judgeLock(before, now, question),
    hasLock: true,
    callsFile: "calls.yaml",
    calls: [
      playedCall(90, { name, tool: name, budgetTokens: 50 }),
      playedCall(90, { name, tool: name, budgetTokens: 50, line: 3 }, 2),
      playedCall(10, { name: "fine" }),
      playedCall(0, { name: `left out ${name}`, line: 7, skip: `because ${name}` }),
    ],
    budgets: [
      budgetOf({ spec: "*=80", tool: "*", limit: 80 }),
      budgetOf({ spec: "1:warn", limit: 1, action: "warn" }),
    ],
    otherProblems: [
      ...findListChangeProblems(
        { ...lists, tools: [{ name }] },
        { ...lists, tools: [{ name, title: name }] },
        (text) => text,
      ),
      ...findListChangeProblems(lists, { fault: `refused ${name}` }, (text) => text),
      ...findAnswerProblems(
        [plannedCall({ name, line: 9 })],
        [{ key: "another", tool: name, tokens: 7 }],
        (text) => text,
      ),
    ],
  });
}
