import { expect, test } from "bun:test";
import { budgetsView } from "#dash/views/budgets.ts";
import { dashModel, viewChoice, viewSetting } from "../../support/dash-model.ts";

const counter = {
  server: "github",
  tool: null,
  pattern: null,
  limit: 9,
  unit: "tokens",
  per: "day",
  action: "refuse",
  spent: 3,
  held: 1,
  left: 5,
  refills_at: "2026-11-14T00:00:00.000Z",
} as const;

test("every counter has a row of its own, those of a chosen server alone", () => {
  const counters = [
    counter,
    { ...counter, tool: "a", pattern: "a*" },
    { ...counter, server: null },
  ];
  const setting = viewSetting({ counters });
  const all = budgetsView(dashModel([]), viewChoice({ screen: "budgets" }), setting);
  expect(Object.values(all.tables.counters)).toEqual(counters);
  expect(all.head.command).toBe("mcp-meter budgets");
  const one = budgetsView(dashModel([]), viewChoice({ server: "github" }), setting);
  expect(Object.values(one.tables.counters)).toHaveLength(2);
});
