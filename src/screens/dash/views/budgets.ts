import type { DashModel } from "../model/model.ts";
import type { BudgetsView, ViewChoice } from "../view.ts";
import { buildScope, type ViewContext } from "./scope.ts";

export function buildBudgetsView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): BudgetsView {
  const { head } = buildScope(model, choice, context);
  const { counters = [] } = context;
  const rows = counters
    .filter(({ server }) => choice.server === undefined || server === choice.server)
    .map((counter) => {
      const { server, pattern, tool, unit, per, user, action, limit } = counter;
      const key = JSON.stringify([server, pattern, tool, unit, per, user, action, limit]);
      return [key, counter] as const;
    });
  return {
    head: { ...head, has_counters: context.counters !== undefined },
    tables: { counters: Object.fromEntries(rows) },
  };
}
