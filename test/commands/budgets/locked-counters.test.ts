import { describe, expect, test } from "bun:test";
import { userInfo } from "node:os";
import { actionRules } from "#meter/actions/action-rules.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import { readLockedBudgets, findLockedBudget } from "#commands/counters/read-counters.ts";
import { Folder } from "../../support/folder.ts";

const counter: CounterStatus = {
  server: "garden",
  tool: "search",
  pattern: "s*",
  limit: 9,
  unit: "tokens",
  per: "day",
  owner: "fleet",
  user: null,
  action: "error",
  spent: 0,
  held: 0,
  left: 9,
  refills_at: "2026-09-02T00:00:00.000Z",
};

const locked = (...specs: readonly string[]) => ({
  file: "/etc/c",
  budgets: specs.map((spec) => parseBudget(spec, actionRules)),
});

describe("the locked budget of a counter", () => {
  test("has its tools, unit, period and owner, whatever its limit and action", () => {
    expect(findLockedBudget(counter, locked("9/day", "s*=20/day"))?.spec).toBe("s*=20/day");
    expect(findLockedBudget(counter, locked("s*=20/day:warn"))?.spec).toBe("s*=20/day:warn");
    for (const spec of [
      "s*=20/hour",
      "s*=20/day/user",
      "s*=$20/day",
      "search=20/day",
      "s*=20calls/day",
      "20/day",
    ])
      expect([spec, findLockedBudget(counter, locked(spec))]).toEqual([spec, undefined]);
  });

  test("a server's budget is not that of all servers", () => {
    const whole = { ...counter, tool: null, pattern: null };
    expect(findLockedBudget(whole, locked("all=9/day", "8/day"))?.spec).toBe("8/day");
    expect(findLockedBudget({ ...whole, server: null }, locked("8/day", "all=9/day"))?.spec).toBe(
      "all=9/day",
    );
  });
});

test.if(userInfo().uid === 0)("the budgets of all parts of the system's config", () => {
  using folder = new Folder();
  const file = folder.file(
    "config.json",
    `{"locked": ["budgets"], "budgets": [{"limit": 5}, {"limit": "lots"}],
      "servers": {"git": {"budgets": [{"tool": "all", "limit": 6, "per": "day"}]}, "b": {}}}`,
  );
  const found = readLockedBudgets("linux", folder.path);
  expect(found).toMatchObject({ file });
  expect(found?.budgets.map(({ spec }) => spec)).toEqual(["5", "all=6/day"]);
  folder.file("config.json", '{"locked": ["log"], "budgets": [{"limit": 5}]}');
  expect(readLockedBudgets("linux", folder.path)).toBeUndefined();
});

test("nothing is locked without a config", () => {
  expect(readLockedBudgets("linux", "/nowhere/at/all")).toBeUndefined();
});
