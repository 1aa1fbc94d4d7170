import { describe, expect, test } from "bun:test";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { describeRefusal } from "#meter/actions/refusal.ts";
import type { RefusalFacts, RefusalReason } from "#meter/budgets/decision.ts";

const facts = (reason: RefusalReason, told: Partial<RefusalFacts> = {}): RefusalFacts => ({
  reason,
  name: "search",
  budget: parseBudget("search=2000/session", actions),
  spent: 1_500,
  held: 0,
  tokens: 12_000,
  precision: "exactly",
  refillMs: Infinity,
  ...told,
});

const reasons = [
  "arguments_over_budget",
  "budget_spent",
  "counters_unreachable",
  "tool_forbidden",
  "answer_over_budget",
  "repeated_call",
  "definition_changed",
  "tool_not_locked",
  "definition_not_seen",
  "config_invalid",
] as const;

describe("refusalText", () => {
  for (const reason of reasons) {
    test(`of ${reason} stays under 300 characters, whatever the numbers and the name`, () => {
      const told = {
        name: "n".repeat(400),
        spent: 2 ** 52,
        tokens: 2 ** 52,
        refillMs: 1e12,
        precision: "at least" as const,
      };
      const unknown = { ...told, isUnknownClient: true, usualTokens: 2 ** 52 };
      expect(describeRefusal(facts(reason, told)).length).toBeLessThan(300);
      expect(describeRefusal(facts(reason, unknown)).length).toBeLessThan(300);
      expect(describeRefusal(facts(reason))).toMatch(/^mcp-meter: search (?:was not run|ran, but)/);
    });
  }

  test.each(["truncate", "spill"])("of an answer that %s cannot fit says so", (action) => {
    const budget = parseBudget(`search=2000/session:${action}`, actions);
    const told = { budget, name: "n".repeat(400), spent: 2 ** 52, tokens: 2 ** 52 };
    const text = describeRefusal(facts("answer_over_budget", told));
    expect(text).toContain("Even a shortened answer does not fit: ask for fewer rows.");
    expect(text.length).toBeLessThan(300);
    expect(describeRefusal(facts("answer_over_budget"))).not.toContain("Even a shortened");
  });

  test("of a budget that open calls reserve stays under 300 characters", () => {
    const budget = parseBudget(`${2 ** 50}/session`, actions);
    const told = {
      name: "n".repeat(400),
      budget,
      spent: 2 ** 51,
      held: 2 ** 51 - 3,
      refillMs: 1e12,
    };
    const text = describeRefusal(facts("budget_spent", told));
    expect(text.length).toBeLessThan(300);
    expect(text).toContain("reserved for open calls");
  });

  test("says whether it ran, what it cost, the limit and what to do", () => {
    expect(describeRefusal(facts("answer_over_budget"))).toBe(
      "mcp-meter: search ran, but its answer was withheld: the call is 12,000 tokens; the budget allows 2,000 tokens per session, of which 1,500 are spent. Narrow the query or ask for fewer rows.",
    );
    expect(describeRefusal(facts("answer_over_budget", { refillMs: 61_000 }))).toContain(
      "Narrow the query, or try again in 1 min 1 s.",
    );
    expect(describeRefusal(facts("budget_spent", { refillMs: 61_000 }))).toContain(
      "The budget refills in 1 min 1 s",
    );
    expect(describeRefusal(facts("budget_spent", { refillMs: 121_000 }))).toContain(
      "The budget refills in 2 min 1 s",
    );
  });
});
