import { expect, test } from "bun:test";
import type { CounterStatus } from "#budgets/counter-status.ts";
import { renderBudgets } from "#renderers/budgets.ts";

const counter: CounterStatus = {
  server: "memory",
  tool: null,
  pattern: null,
  limit: 500_000,
  unit: "tokens",
  per: "day",
  action: "error",
  spent: 120_000,
  held: 0,
  left: 380_000,
  refills_at: "2026-11-22T00:00:00.000Z",
};

test("renderBudgets is a row a counter", () => {
  const text = renderBudgets([counter, { ...counter, tool: "\u001b[31mred" }], false, {
    color: false,
  });
  expect(text).toContain("memory  (all)");
  expect(text).toContain("500,000 tokens/day:error  120,000");
  expect(text).toContain("2026-11-22 00:00 UTC");
  expect(text).not.toContain("\u001b");
});

test("renderBudgets as JSON says the same, and of nothing that there is nothing", () => {
  expect(JSON.parse(renderBudgets([counter], true, { color: false }))).toEqual({
    counters: [counter],
  });
  expect(renderBudgets([], false, { color: false })).toContain("no counter");
});
