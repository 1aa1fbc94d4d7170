import { expect, test } from "bun:test";
import { judgeLargestAnswers, rejectUnmatchedBudgets } from "#check/judge-largest-answers.ts";
import type { ProfiledTool } from "#lock/recommendations.ts";
import { toNanodollars } from "#meter/budgets/budget.ts";
import { budgetOf, madeCallPrices } from "../support/checks.ts";
import { profiledTool } from "../support/made-profile.ts";

function sizedTool(
  name: string,
  declared: number | undefined,
  recorded: number | undefined,
): ProfiledTool {
  const tool = profiledTool(name, 10);
  const tokens = declared ?? tool.worst_case.tokens;
  return {
    ...tool,
    worst_case: { ...tool.worst_case, is_assumed: declared === undefined, tokens },
    ...(recorded === undefined
      ? {}
      : { recorded: { calls: 1, average_tokens: 1, max_tokens: recorded } }),
  };
}

const tools = [
  sizedTool("declared", 2_000, 500),
  sizedTool("recorded", 100, 3_000),
  sizedTool("open", undefined, undefined),
  sizedTool("paid", undefined, undefined),
];

const declared = { tool: "declared", tokens: 2_000, source: "declared" };
const recorded = { tool: "recorded", tokens: 3_000, source: "recorded" };
const paid = { tool: "paid", tokens: null, source: null, cost_usd: 0.005 };

// An answer costs $10 a million tokens, and a call of "paid" $0.005.
test.each([
  ["tokens", budgetOf({ limit: 1_999 }), 4, 2, [recorded, declared]],
  ["one tool", budgetOf({ tool: "declared", limit: 2_000 }), 1, 0, []],
  [
    "money",
    budgetOf({ unit: "dollars", limit: toNanodollars(0.02) }),
    4,
    2,
    [{ ...recorded, cost_usd: 0.03 }],
  ],
  [
    "the price of a call",
    budgetOf({ tool: "pa*", unit: "dollars", limit: toNanodollars(0.004) }),
    1,
    0,
    [paid],
  ],
] as const)("judgeLargestAnswers: %s", (_, budget, limited, unknown, over) => {
  const verdict = judgeLargestAnswers(budget, tools, madeCallPrices);
  expect<unknown>(verdict).toMatchObject({ tools: limited, unknown, over, is_enforced: true });
  expect(verdict.prices).toBe(budget.unit === "dollars" ? "made" : undefined);
});

test("judgeLargestAnswers forbids a tool in any case", () => {
  const verdict = judgeLargestAnswers(budgetOf({ tool: "OP*", limit: 0 }), tools);
  expect(verdict.tools).toBe(judgeLargestAnswers(budgetOf({ tool: "op*" }), tools).tools);
  expect(judgeLargestAnswers(budgetOf({ tool: "OP*" }), tools).tools).toBe(0);
});

test("judgeLargestAnswers: a budget with the action warn is not enforced", () => {
  const verdict = judgeLargestAnswers(budgetOf({ limit: 1, action: "warn" }), tools);
  expect(verdict).toMatchObject({ is_enforced: false, over: [recorded, declared] });
});

test.each([null, "op*", "paid"])("rejectUnmatchedBudgets accepts a budget for %p", (tool) => {
  rejectUnmatchedBudgets([budgetOf({ tool })], ["open", "paid"]);
});

test("rejectUnmatchedBudgets accepts a forbidden name in another case", () => {
  rejectUnmatchedBudgets([budgetOf({ tool: "OPEN", limit: 0 })], ["open", "paid"]);
});

test("rejectUnmatchedBudgets names the nearest tool", () => {
  const budgets = [budgetOf({ tool: "opn", spec: "opn=9" })];
  expect(() => rejectUnmatchedBudgets(budgets, ["open", "paid"])).toThrow(
    'Budget "opn=9" matches none of the server\'s 2 tools; did you mean "open"?',
  );
});
