import type { DashModel } from "../model/model.ts";
import type { AnyView, BudgetsView, ViewName, ViewChoice } from "../view.ts";
import { buildAdviceView } from "./advice.ts";
import { buildDefinitionsView } from "./definitions.ts";
import { buildOverviewView } from "./overview.ts";
import { buildScope, type ViewContext } from "./scope.ts";
import { buildSessionView } from "./session.ts";
import { buildToolView } from "./tool.ts";
import { buildTrendView } from "./trend.ts";

type ViewBuilder = (model: DashModel, choice: ViewChoice, context: ViewContext) => AnyView;

const builders: { readonly [screen in ViewName]: ViewBuilder } = {
  overview: buildOverviewView,
  session: buildSessionView,
  tool: buildToolView,
  definitions: buildDefinitionsView,
  budgets: buildBudgetsView,
  trend: buildTrendView,
  advice: buildAdviceView,
};

export function buildView(model: DashModel, choice: ViewChoice, context: ViewContext): AnyView {
  return builders[choice.screen](model, choice, context);
}

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
