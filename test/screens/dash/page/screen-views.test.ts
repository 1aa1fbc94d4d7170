import { expect, test } from "bun:test";
import { mayHaveEstimates, isScreenView, type ViewHead } from "#screens/dash/view.ts";

const head: ViewHead = {
  screen: "budgets",
  command: "mcp-meter budgets",
  notes: [],
  servers: [],
  clients: [],
  estimators: [],
  timezone: "UTC",
  first: null,
  last: null,
  recorded_days: 30,
  estimation: null,
  counted_by: [],
};

test("a view is of the screen that its head names", () => {
  const view = { head, tables: {} };
  expect([isScreenView(view, "budgets"), isScreenView(view, "trend")]).toEqual([true, false]);
});

test("tokens are estimates unless their estimation says otherwise", () => {
  const estimation = {
    estimator: "o200k",
    method: "bpe",
    encoding: "o200k_base",
    error: "",
    confidence: "high",
    is_estimated: false,
  } as const;
  expect([head, { ...head, estimation }].map(mayHaveEstimates)).toEqual([true, false]);
});
