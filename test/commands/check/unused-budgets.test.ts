import { expect, test } from "bun:test";
import type { PlannedCall } from "#check/planned-call.ts";
import { refuseUnusedBudgets } from "#commands/check/unused-budgets.ts";
import { budgetOf } from "../../support/checks.ts";

const tools = [{ name: "search" }, { name: "status" }];
const plan: readonly PlannedCall[] = [
  {
    name: "one",
    tool: "search",
    arguments: {},
    isError: false,
    budgetTokens: undefined,
    repeat: 1,
  },
];
const refused = (tool: string | null): string => {
  const budgets = [budgetOf({ tool, spec: `${tool ?? ""}=9` })];
  try {
    refuseUnusedBudgets({ budgets, callsFile: "calls.yaml" }, { tools }, plan);
    return "";
  } catch (error) {
    return String(error);
  }
};

test.each([
  [null, ""],
  ["search", ""],
  ["s*", ""],
  ["serch", 'Budget "serch=9" matches none of the server\'s 2 tools; did you mean "search"?'],
  ["status", 'Budget "status=9" limits none of the calls in "calls.yaml"'],
])("a budget for %p: %s", (tool, sentence) => {
  expect(refused(tool)).toContain(sentence);
  expect(refused(tool) === "").toBe(sentence === "");
});
