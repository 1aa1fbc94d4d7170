import { expect, test } from "bun:test";
import { refuseUnusedBudgets } from "#commands/check/command.ts";
import { budgetOf } from "../../support/checks.ts";
import { plannedCall } from "../../support/planned.ts";

const tools = [{ name: "search" }, { name: "status" }, { name: "left_out" }];
const plan = [plannedCall({ tool: "search" }), plannedCall({ tool: "left_out", skip: "slow" })];
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
  ["serch", 'Budget "serch=9" matches none of the server\'s 3 tools; did you mean "search"?'],
  ["left_out", 'Budget "left_out=9" limits none of the calls in "calls.yaml"'],
  ["status", 'Budget "status=9" limits none of the calls in "calls.yaml"'],
])("a budget for %p: %s", (tool, sentence) => {
  expect(refused(tool)).toContain(sentence);
  expect(refused(tool) === "").toBe(sentence === "");
});
