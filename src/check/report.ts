import type { makeFailure } from "#kit/errors.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import type { LockReport } from "#lock/lock-report.ts";
import { failsOn, type DriftKind } from "#lock/drift/severity-rules.ts";
import {
  judgeBudget,
  type BudgetVerdict,
  type CallProblem,
  type JudgedCall,
} from "./judge-calls.ts";
import {
  describeBudget,
  describeCallProblem,
  describeDrift,
  describeExcess,
} from "./describe-problems.ts";
import type { LimitExcess } from "#lock/lock-limits.ts";

export type CheckReport = {
  readonly schema_version: "1.0";
  readonly server: LockReport["server"];
  readonly estimator: string;
  readonly failed: boolean;
  readonly lock_file: string | null;
  readonly calls_file: string | null;
  readonly definitions: LockReport;
  readonly calls: readonly JudgedCall[];
  readonly budgets: readonly BudgetVerdict[];
  readonly total: { readonly calls: number; readonly tokens: number; readonly skipped: number };
  readonly problems: readonly Problem[];
};

export type CheckFailure = ReturnType<typeof makeFailure> & {
  readonly lock_file: string;
  readonly calls_file: string | null;
  readonly place?: { readonly file: string; readonly line: number };
};

type ProblemRule =
  | DriftKind
  | LimitExcess["limit"]
  | CallProblem
  | "budget"
  | "list_changed"
  | "list_unreadable"
  | "list_rejected"
  | "tools_undeclared"
  | "output_schema_rejected"
  | "answer_unused"
  | "answer_missing";

export type Problem = {
  readonly level: "error" | "warning";
  readonly rule: ProblemRule;
  readonly about: string | null;
  readonly text: string;
  // A line of the lock if `place` is `lock` or `definitions`; of the calls file if it is `calls` or `answers`.
  readonly line: number | null;
  // The path in the definition, such as `input.filter.since:maximum`.
  readonly at?: string;
  readonly place: "lock" | "definitions" | "schemas" | "calls" | "budgets" | "list" | "answers";
};

// Finds the line of a tool in the lock file.
export type FindToolLine = (name: string) => number | undefined;

type CheckInput = {
  readonly definitions: LockReport;
  readonly hasLock: boolean;
  readonly callsFile: string | null;
  readonly calls: readonly JudgedCall[];
  readonly budgets: readonly Budget[];
  readonly prices?: CallPrices | undefined; // for budgets in dollars
  readonly findToolLine?: FindToolLine;
  readonly otherProblems?: readonly Problem[];
};

export function reportCheck(input: CheckInput): CheckReport {
  const { definitions, calls, otherProblems = [] } = input;
  const playedCalls = calls.filter(({ skipped }) => skipped === null);
  const budgets = input.budgets.flatMap((budget) => judgeBudget(budget, playedCalls, input.prices));
  const problems = [
    ...listDriftProblems(definitions, input.findToolLine),
    ...definitions.over_limit.map((excess) => makeExcessProblem(excess, input.findToolLine)),
    ...calls.flatMap(listCallProblems),
    ...budgets.filter(({ is_breached: isBreached }) => isBreached).map(makeBudgetProblem),
    ...otherProblems,
  ];
  const errors = problems.filter(({ level }) => level === "error");
  const warnings = problems.filter(({ level }) => level === "warning");
  return {
    schema_version: "1.0",
    server: definitions.server,
    estimator: definitions.estimator,
    failed: errors.length > 0 || definitions.failed,
    lock_file: input.hasLock ? definitions.lock_file : null,
    calls_file: input.callsFile,
    definitions,
    calls,
    budgets,
    total: {
      calls: playedCalls.length,
      tokens: playedCalls.reduce((sum, { tokens }) => sum + tokens, 0),
      skipped: calls.length - playedCalls.length,
    },
    problems: [...errors, ...warnings],
  };
}

function listDriftProblems(
  { drifts, fail_on: failOn, failed }: LockReport,
  findToolLine: FindToolLine | undefined,
): Problem[] {
  return drifts.map((drift) => ({
    level: failed && failsOn(failOn, drift.severity) ? "error" : "warning",
    rule: drift.kind,
    about: drift.tool,
    text: describeDrift(drift),
    line: findLine(findToolLine, drift.tool),
    ...(drift.at === undefined ? {} : { at: drift.at }),
    place: "lock",
  }));
}

function makeExcessProblem(excess: LimitExcess, findToolLine: FindToolLine | undefined): Problem {
  const { limit: rule, tool: about } = excess;
  const text = describeExcess(excess);
  const line = findLine(findToolLine, about);
  return { level: "error", rule, about, text, line, place: "definitions" };
}

function findLine(findToolLine: FindToolLine | undefined, tool: string | null): number | null {
  return (tool === null ? undefined : findToolLine?.(tool)) ?? null;
}

function listCallProblems(call: JudgedCall): Problem[] {
  const about = call.round === 1 ? call.call : `${call.call} (${call.round})`;
  return call.problems.map((rule) => ({
    level: "error",
    rule,
    about,
    text: describeCallProblem(rule, call),
    line: call.line,
    place: "calls",
  }));
}

function makeBudgetProblem(verdict: BudgetVerdict): Problem {
  return {
    level: verdict.is_enforced ? "error" : "warning",
    rule: "budget",
    about: verdict.tool,
    text: describeBudget(verdict),
    line: null,
    place: "budgets",
  };
}
