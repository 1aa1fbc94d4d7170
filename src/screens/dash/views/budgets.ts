import type { DashModel } from "../model/model.ts";
import type { BudgetsView, ViewChoice } from "../view.ts";
import { scopeOf, type ViewSetting } from "./scope.ts";

export function budgetsView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): BudgetsView {
  const { estimation: _, ...head } = scopeOf(model, choice, setting).head;
  const rows = setting.counters
    .filter(({ server }) => choice.server === undefined || server === choice.server)
    .map((counter) => {
      const { server, pattern, tool, unit, per, limit } = counter;
      return [JSON.stringify([server, pattern, tool, unit, per, limit]), counter] as const;
    });
  return { head, tables: { counters: Object.fromEntries(rows) } };
}
