import { expect, test } from "bun:test";
import { buildBudgetsView } from "#screens/dash/views/index.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";

test("no counters are told apart from counters that have not been read", () => {
  const choice = viewChoice({ screen: "budgets" });
  const heads = [undefined, []].map(
    (counters) => buildBudgetsView(dashModel([]), choice, viewSetting({ counters })).head,
  );
  expect(heads.map((head) => head.has_counters)).toEqual([false, true]);
});
