import { expect, test } from "bun:test";
import { judgeBudget } from "#check/budget-verdict.ts";
import { budgetOf, playedCall } from "../support/checks.ts";

test.each([
  ["its most expensive call fits", budgetOf({ limit: 6 }), 6, false],
  ["its most expensive call is one over", budgetOf({ limit: 5 }), 6, true],
  ["all calls fit", budgetOf({ limit: 11, per: "session" }), 11, false],
  ["all calls are one over", budgetOf({ limit: 10, per: "session" }), 11, true],
  ["calls are counted", budgetOf({ limit: 1, unit: "calls", per: "session" }), 2, true],
] as const)("judgeBudget: %s", (_, budget, spent, isBreached) => {
  expect(judgeBudget(budget, [playedCall(5), playedCall(6)])).toMatchObject([
    { tool: null, spent, is_breached: isBreached, is_enforced: true },
  ]);
});

test("judgeBudget: a wildcard applies to each tool by itself, and warn is not enforced", () => {
  const calls = [
    playedCall(60, { tool: "a_x" }),
    playedCall(70, { tool: "a_y" }),
    playedCall(999, { tool: "b" }),
  ];
  const budget = budgetOf({ tool: "a_*", limit: 65, per: "session", action: "warn" });
  expect(judgeBudget(budget, calls)).toMatchObject([
    { tool: "a_x", spent: 60, is_breached: false, is_enforced: false },
    { tool: "a_y", spent: 70, is_breached: true, is_enforced: false },
  ]);
});

test("judgeBudget: a budget for a tool that was not called has no verdict", () => {
  expect(judgeBudget(budgetOf({ tool: "absent" }), [playedCall(5)])).toEqual([]);
});
