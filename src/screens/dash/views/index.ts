import type { DashModel } from "../model/model.ts";
import type { AnyView, Screen, ViewChoice } from "../view.ts";
import { budgetsView } from "./budgets.ts";
import { definitionsView } from "./definitions.ts";
import { overviewView } from "./overview.ts";
import type { ViewSetting } from "./scope.ts";
import { sessionView } from "./session.ts";
import { toolView } from "./tool.ts";
import { trendView } from "./trend.ts";

type MakeView = (model: DashModel, choice: ViewChoice, setting: ViewSetting) => AnyView;

const makers: { readonly [screen in Screen]: MakeView } = {
  overview: overviewView,
  session: sessionView,
  tool: toolView,
  definitions: definitionsView,
  budgets: budgetsView,
  trend: trendView,
};

export function viewOf(model: DashModel, choice: ViewChoice, setting: ViewSetting): AnyView {
  return makers[choice.screen](model, choice, setting);
}
