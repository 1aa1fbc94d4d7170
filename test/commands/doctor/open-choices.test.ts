import { expect, test } from "bun:test";
import { actionRules } from "#actions/rules.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import { openChoices } from "#commands/doctor/open-choices.ts";

const counting = ["tokenizer", "calibration", "model", "client"];

test.each([
  ["of a call or a session", ["9", "5k/session", "delete_*=0"], []],
  ["of a day, for all servers", ["all=5M/day"], ["counters", "fleet", ...counting]],
  ["of a server", ["5M/week"], ["counters", "fleet", ...counting, "server"]],
  ["of a tool", ["t=5k/month"], ["counters", "fleet", ...counting, "server"]],
  ["in calls", ["all=9calls/hour"], ["counters", "fleet"]],
  ["in calls, of a tool", ["t=9calls/minute", "9"], ["counters", "fleet", "server"]],
])("budgets %s", (_, specs, open) => {
  const budgets = specs.map((spec) => parseBudget(spec, actionRules));
  expect(openChoices(budgets, new Set())).toEqual(open);
  expect(openChoices(budgets, new Set(["fleet", "model"]))).toEqual(
    open.filter((name) => name !== "fleet" && name !== "model"),
  );
  expect(openChoices(budgets, new Set(open))).toEqual([]);
});
