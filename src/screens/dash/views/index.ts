import type { DashModel } from "../model/model.ts";
import type { AnyView, Screen, ViewChoice } from "../view.ts";
import { buildAdviceView } from "./advice.ts";
import { buildBudgetsView } from "./budgets.ts";
import { buildDefinitionsView } from "./definitions.ts";
import { buildOverviewView } from "./overview.ts";
import type { ViewSetting } from "./scope.ts";
import { buildSessionView } from "./session.ts";
import { buildToolView } from "./tool.ts";
import { buildTrendView } from "./trend.ts";

type MakeView = (model: DashModel, choice: ViewChoice, setting: ViewSetting) => AnyView;

const makers: { readonly [screen in Screen]: MakeView } = {
  overview: buildOverviewView,
  session: buildSessionView,
  tool: buildToolView,
  definitions: buildDefinitionsView,
  budgets: buildBudgetsView,
  trend: buildTrendView,
  advice: buildAdviceView,
};

export function buildView(model: DashModel, choice: ViewChoice, setting: ViewSetting): AnyView {
  return makers[choice.screen](model, choice, setting);
}
