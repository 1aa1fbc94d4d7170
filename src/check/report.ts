import type { Budget } from "#budgets/budget.ts";
import type { LockReport } from "#lock/lock-report.ts";
import type { CallProblem, PlayedCall } from "./played-call.ts";
import { problemOf } from "./problems.ts";
import { fitsWildcard } from "#text/wildcard.ts";

/** One verdict over lock, definitions, calls and budgets: printed by a renderer as it is. */
export type CheckReport = {
  readonly schema_version: "1.0";
  readonly server: LockReport["server"];
  readonly estimator: string;
  readonly failed: boolean;
  /** Null where the server was held against no lock; limits on definitions are judged in any case. */
  readonly lock_file: string | null;
  readonly calls_file: string | null;
  readonly definitions: LockReport;
  readonly calls: readonly PlayedCall[];
  readonly budgets: readonly BudgetVerdict[];
  readonly total: { readonly calls: number; readonly tokens: number };
  /** Everything that is wrong or worth a look, worst first. */
  readonly problems: readonly Problem[];
};

/** A budget of the command line over the calls that were played. */
export type BudgetVerdict = {
  readonly budget: string;
  /** Null for the server as a whole. */
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  /** Of its dearest call, or of all together. */
  readonly spent: number;
  readonly is_breached: boolean;
  /** False when its action only tells. */
  readonly is_enforced: boolean;
};

/** One thing that is wrong, or worth a look. */
export type Problem = {
  readonly level: "error" | "warning";
  /** What kind of thing: a drift's kind, a limit, a call's problem, `budget`. */
  readonly rule: string;
  /** Tool or call it is about; null for the server. */
  readonly about: string | null;
  readonly text: string;
  readonly place: "lock" | "definitions" | "calls" | "budgets";
};

export type CheckInput = {
  readonly definitions: LockReport;
  readonly isLocked: boolean;
  readonly callsFile: string | null;
  readonly calls: readonly PlayedCall[];
  readonly budgets: readonly Budget[];
};

/** The verdict: failed when any problem is an error. */
export function reportCheck(input: CheckInput): CheckReport {
  const { definitions, calls } = input;
  const budgets = input.budgets.flatMap((budget) => judgeBudget(budget, calls));
  const problems = [
    ...definitionProblems(definitions),
    ...callProblems(calls),
    ...budgets.flatMap(budgetProblem),
  ];
  const errors = problems.filter(({ level }) => level === "error");
  return {
    schema_version: "1.0",
    server: definitions.server,
    estimator: definitions.estimator,
    failed: errors.length > 0 || definitions.failed,
    lock_file: input.isLocked ? definitions.lock_file : null,
    calls_file: input.callsFile,
    definitions,
    calls,
    budgets,
    total: { calls: calls.length, tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0) },
    problems: [...errors, ...problems.filter(({ level }) => level === "warning")],
  };
}

function definitionProblems(definitions: LockReport): Problem[] {
  const failing: ReadonlySet<string> = new Set(failingSeverities[definitions.fail_on]);
  const drifts = definitions.drifts.map((drift): Problem => ({
    level: failing.has(drift.severity) ? "error" : "warning",
    rule: drift.kind,
    about: drift.tool,
    text: `${drift.severity}: ${drift.what}, ${drift.before ?? "before"} → ${drift.after ?? "changed"}`,
    place: "lock",
  }));
  const excess = definitions.over_limit.map(({ limit, tool, tokens, allowed }): Problem => ({
    level: "error",
    rule: limit,
    about: tool,
    text: `the definitions take ${tokens} tokens, ${allowed} are allowed`,
    place: "definitions",
  }));
  return [...drifts, ...excess];
}

const failingSeverities = {
  breaking: ["BREAKING"],
  risky: ["BREAKING", "RISKY"],
  safe: ["BREAKING", "RISKY", "SAFE"],
} as const;

function callProblems(calls: readonly PlayedCall[]): Problem[] {
  return calls.flatMap((call) =>
    call.problems.map((rule: CallProblem): Problem => ({
      level: "error",
      rule,
      about: call.round === 1 ? call.call : `${call.call} (${call.round})`,
      text: problemOf(rule, call),
      place: "calls",
    })),
  );
}

function judgeBudget(budget: Budget, calls: readonly PlayedCall[]): BudgetVerdict[] {
  const { tool: pattern } = budget;
  const fitting = calls.filter(({ tool }) => pattern === null || fitsWildcard(pattern, tool));
  const names = pattern === null ? [null] : [...new Set(fitting.map(({ tool }) => tool))];
  return names.map((tool) => {
    const own = fitting.filter((call) => tool === null || call.tool === tool);
    const spent = spentOf(budget, own);
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
  });
}

function spentOf({ unit, per }: Budget, calls: readonly PlayedCall[]): number {
  if (unit === "calls") return calls.length;
  const tokens = calls.map((call) => call.tokens);
  return per === "call" ? Math.max(0, ...tokens) : tokens.reduce((sum, one) => sum + one, 0);
}

function budgetProblem(verdict: BudgetVerdict): Problem[] {
  if (!verdict.is_breached) return [];
  const { budget, tool, spent, limit, unit, per, is_enforced: isEnforced } = verdict;
  const when = per === "call" ? "by its dearest call" : "by all calls";
  return [
    {
      level: isEnforced ? "error" : "warning",
      rule: "budget",
      about: tool,
      text: `budget ${budget}: ${spent} ${unit} spent ${when}, ${limit} are allowed`,
      place: "budgets",
    },
  ];
}
