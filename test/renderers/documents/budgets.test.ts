import { expect, test } from "bun:test";
import type { CounterStatus } from "#budgets/counter-status.ts";
import { budgetsDocument } from "#renderers/documents/budgets.ts";
import { renderTerminal } from "#renderers/terminal.ts";

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

test("budgetsDocument has a row per counter", () => {
  const counters = [
    counter,
    { ...counter, tool: "search", held: 30 },
    { ...counter, server: null },
  ];
  expect(renderTerminal(budgetsDocument(counters), { color: false })).toMatchInlineSnapshot(`
    "3 budget counters

    server  tool    budget                      spent  held     left  refills
    memory  (all)   500,000 tokens/day:error  120,000     0  380,000  2026-11-22 00:00 UTC
    memory  search  500,000 tokens/day:error  120,000    30  380,000  2026-11-22 00:00 UTC
    (all)   (all)   500,000 tokens/day:error  120,000     0  380,000  2026-11-22 00:00 UTC
    "
  `);
});

test("budgetsDocument without counters is one sentence", () => {
  expect(renderTerminal(budgetsDocument([]), { color: false })).toBe(
    "No budget counters yet; budgets with a period from minute to month create them\n",
  );
});
