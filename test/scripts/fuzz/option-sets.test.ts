import { expect, test } from "bun:test";
import {
  budgetSpec,
  findOptionSet,
  flagsOf,
  optionSets,
} from "../../../scripts/fuzz/option-sets.ts";
import { parseRunOptions } from "#commands/run/options.ts";

test("option sets have names of their own", () => {
  const names = optionSets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("budgets are written as mcp-meter parses them", () => {
  const [budget = expect.unreachable()] = findOptionSet("throttle").budgets;
  expect(budgetSpec(budget)).toBe("*=3calls/minute:throttle");
  for (const set of optionSets) {
    const budgets = set.budgets.map(budgetSpec);
    const { budgets: parsed } = parseRunOptions({
      options: budgets.length === 0 ? {} : { budget: budgets },
      operands: [],
      child: ["server"],
    });
    const parts = parsed.map(({ tool, limit, unit, per, action }) => ({
      tool,
      limit,
      unit,
      per,
      action,
    }));
    expect(parts).toEqual([...set.budgets]);
  }
});

test("files are in the folder of the play", () => {
  const flags = flagsOf(findOptionSet("log-file"), "/folder", "/lock");
  expect(flags).toContain("/folder/calls.ndjson");
  expect(flagsOf(findOptionSet("lock"), "/folder", "/lock")).toContain("/lock");
});
