import { expect, test } from "bun:test";
import { hasEstimates, isEstimatedHead, isScreenView } from "#screens/dash/page/address.ts";
import type { EstimatedHead, ViewHead } from "#screens/dash/view.ts";

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
};

const counted = (isEstimated: boolean): EstimatedHead => ({
  ...head,
  estimation: {
    estimator: "o200k",
    method: "bpe",
    encoding: "o200k_base",
    error: "",
    confidence: "high",
    is_estimated: isEstimated,
  },
  counted_by: [],
});

test("a view is of the screen that its head names", () => {
  const view = { head, tables: {} };
  expect([isScreenView(view, "budgets"), isScreenView(view, "trend")]).toEqual([true, false]);
});

test("tokens are estimates unless their estimation says otherwise; budgets count no tokens of views", () => {
  expect(hasEstimates(counted(true))).toBe(true);
  expect(hasEstimates(counted(false))).toBe(false);
  const unknown: EstimatedHead = { ...head, estimation: null, counted_by: [] };
  expect(hasEstimates(unknown)).toBe(true);
  expect([isEstimatedHead(head), hasEstimates(head)]).toEqual([false, false]);
});
