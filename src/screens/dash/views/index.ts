import type { DashModel } from "../model/model.ts";
import type { AnyView, ViewName, ViewChoice } from "../view.ts";
import { buildAdviceView } from "./advice.ts";
import { buildBudgetsView } from "./budgets.ts";
import { buildDefinitionsView } from "./definitions.ts";
import { buildOverviewView } from "./overview.ts";
import type { ViewContext } from "./scope.ts";
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
