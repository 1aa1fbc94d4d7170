import { expect, test } from "bun:test";
import type { Budget } from "#meter/budgets/budget.ts";
import { reportCheck } from "#check/report.ts";
import { judgeLock } from "#lock/lock-report.ts";
import type { JudgedCall } from "#check/judge-calls.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
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
  calls: readonly JudgedCall[],
  budgets: readonly Budget[] = [],
  definitions = unchanged,
) => reportCheck({ definitions, hasLock: true, callsFile: "c", calls, budgets });

test("reportCheck passes what is all right", () => {
  const report = checked([playedCall(5), playedCall(6)], [budgetOf()]);
  expect(report).toMatchObject({ failed: false, problems: [], total: { calls: 2, tokens: 11 } });
});

test("reportCheck fails by an exceeded budget, and warns by one with the action warn", () => {
  const calls = [playedCall(70, { tool: "a_y" })];
  const budget = budgetOf({ tool: "a_*", limit: 65, per: "session" });
  expect(checked(calls, [budget])).toMatchObject({
    failed: true,
    problems: [{ level: "error", rule: "budget", about: "a_y", place: "budgets" }],
  });
  expect(checked(calls, [{ ...budget, action: "warn" }])).toMatchObject({
    failed: false,
    problems: [{ level: "warning", rule: "budget", about: "a_y", place: "budgets" }],
  });
});

test("reportCheck: drifts fail by --fail-on, the others are warnings", () => {
  const now = lockWith([changedTool({ is_bounded: false })]);
  const risky = checked([], [], judgeLock(lockWith([lockedTool()]), now, question));
  expect(risky).toMatchObject({
    failed: true,
    problems: [{ level: "error", rule: "became_unbounded" }],
  });
  const lenient = { ...question, failOn: "breaking" } as const;
  const report = checked([], [], judgeLock(lockWith([lockedTool()]), now, lenient));
  expect(report).toMatchObject({ failed: false, problems: [{ level: "warning" }] });
});

test("reportCheck warns of a fault of the list that a lock has already, where a lock is written", () => {
  const twice = lockWith([lockedTool(), lockedTool()]);
  const fault = judgeLock(twice, twice, question);
  expect(checked([], [], fault)).toMatchObject({
    failed: true,
    problems: [{ level: "error", rule: "tool_listed_twice", about: "tool" }],
  });
  expect(checked([], [], { ...fault, failed: false })).toMatchObject({
    failed: false,
    problems: [{ level: "warning" }],
  });
});

test("reportCheck fails by a list that changed, and warns of recorded answers", () => {
  const shared = { about: "t", text: "x", line: null } as const;
  const changed = { ...shared, level: "error", rule: "list_changed", place: "list" } as const;
  const unused = { ...shared, level: "warning", rule: "answer_unused", place: "answers" } as const;
  const input = { definitions: unchanged, hasLock: true, callsFile: "c", calls: [], budgets: [] };
  expect(reportCheck({ ...input, otherProblems: [unused] })).toMatchObject({
    failed: false,
    problems: [unused],
  });
  expect(reportCheck({ ...input, otherProblems: [unused, changed] })).toMatchObject({
    failed: true,
    problems: [changed, unused],
  });
});

test("reportCheck puts errors before warnings and names later rounds", () => {
  const { problems } = fullReport();
  const levels = problems.map(({ level }) => level);
  expect(levels).toEqual(levels.toSorted());
  expect(problems.findLast(({ rule }) => rule === "over_budget")?.about).toEndWith(" (2)");
});

test("reportCheck: a problem of a tool is at its line of the lock, where it has one", () => {
  const before = lockWith([lockedTool(), lockedTool({ name: "gone" })]);
  const now = lockWith([lockedTool(), lockedTool({ name: "new" })], {
    server: { ...before.server, version: "2" },
  });
  const terms = { ...question, limits: { maxToolTokens: 1 } };
  const input = { hasLock: true, callsFile: null, calls: [], budgets: [] };
  const definitions = judgeLock(before, now, terms);
  const lines = new Map([
    ["tool", 3],
    ["gone", 9],
  ]);
  const { problems } = reportCheck({
    ...input,
    definitions,
    findToolLine: (name) => lines.get(name),
  });
  expect(problems.map(({ about, line }) => [about, line])).toEqual([
    ["gone", 9],
    ["new", null],
    ["tool", 3],
    ["new", null],
    [null, null],
  ]);
  const without = reportCheck({ ...input, definitions }).problems;
  expect(without.every(({ line }) => line === null)).toBe(true);
});
