import { expect, test } from "bun:test";
import type { Budget } from "#budgets/budget.ts";
import { reportCheck } from "#check/report.ts";
import { judgeLock } from "#lock/lock-report.ts";
import type { PlayedCall } from "#check/played-call.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { budgetOf, fullReport, playedCall } from "../support/checks.ts";
import { changedTool, lockedTool, lockWith } from "../support/locks.ts";

const question = {
  lockFile: "l",
  limits: {},
  failOn: "risky",
  thresholds: riskThresholdsDefault,
} as const;
const unchanged = judgeLock(lockWith([lockedTool()]), lockWith([lockedTool()]), question);

const checked = (
  calls: readonly PlayedCall[],
  budgets: readonly Budget[] = [],
  definitions = unchanged,
) => reportCheck({ definitions, isLocked: true, callsFile: "c", calls, budgets });

test("reportCheck passes what is all right", () => {
  const report = checked([playedCall(5), playedCall(6)], [budgetOf()]);
  expect(report).toMatchObject({ failed: false, problems: [], total: { calls: 2, tokens: 11 } });
});

test.each([
  ["its dearest call fits", budgetOf({ limit: 6 }), 6, false],
  ["its dearest call is one over", budgetOf({ limit: 5 }), 6, true],
  ["all calls fit", budgetOf({ limit: 11, per: "session" }), 11, false],
  ["all calls are one over", budgetOf({ limit: 10, per: "session" }), 11, true],
  ["calls are counted", budgetOf({ limit: 1, unit: "calls", per: "session" }), 2, true],
] as const)("reportCheck: a budget of which %s", (_, budget, spent, failed) => {
  const report = checked([playedCall(5), playedCall(6)], [budget]);
  expect(report.budgets).toMatchObject([{ spent, is_breached: failed }]);
  expect(report.failed).toBe(failed);
});

test("reportCheck: a budget with a wildcard holds for each tool by itself, and a warning does not fail", () => {
  const calls = [
    playedCall(60, { tool: "a_x" }),
    playedCall(70, { tool: "a_y" }),
    playedCall(999, { tool: "b" }),
  ];
  const budget = budgetOf({ tool: "a_*", limit: 100, per: "session", action: "warn" });
  const report = checked(calls, [budget, { ...budget, limit: 65 }]);
  expect(report.budgets.map(({ tool, spent }) => [tool, spent]).slice(0, 2)).toEqual([
    ["a_x", 60],
    ["a_y", 70],
  ]);
  expect(report.failed).toBe(false);
  expect(report.problems).toMatchObject([{ level: "warning", about: "a_y", place: "budgets" }]);
});

test("reportCheck: drifts fail by --fail-on, the others are warnings", () => {
  const now = lockWith([changedTool({ is_bounded: false })]);
  const risky = checked([], [], judgeLock(lockWith([lockedTool()]), now, question));
  expect(risky).toMatchObject({
    failed: true,
    problems: [{ level: "error", rule: "became_unbounded" }],
  });
  const lenient = { ...question, failOn: "breaking" } as const;
  const told = checked([], [], judgeLock(lockWith([lockedTool()]), now, lenient));
  expect(told).toMatchObject({ failed: false, problems: [{ level: "warning" }] });
});

test("reportCheck puts errors before warnings and names later rounds", () => {
  const { problems } = fullReport();
  const levels = problems.map(({ level }) => level);
  expect(levels).toEqual(levels.toSorted());
  expect(problems.findLast(({ rule }) => rule === "over_budget")?.about).toEndWith(" (2)");
});
