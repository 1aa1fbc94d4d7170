import type {
  BudgetsView,
  DefinitionsView,
  EstimatedHead,
  OverviewView,
  Screen,
  SessionView,
  ToolView,
  TrendView,
  View,
  ViewHead,
} from "../view.ts";

/** The type of the view of each screen. */
type ScreenViews = {
  readonly overview: OverviewView;
  readonly session: SessionView;
  readonly tool: ToolView;
  readonly definitions: DefinitionsView;
  readonly budgets: BudgetsView;
  readonly trend: TrendView;
};

/** True when a view is of a screen: its server decides which facts and tables that screen has. */
export function isViewOf<S extends Screen>(view: View, screen: S): view is View & ScreenViews[S] {
  return view.head.screen === screen;
}

/** True for facts of a screen whose numbers are from one estimator. */
export function isEstimatedHead(head: ViewHead): head is EstimatedHead {
  return "estimation" in head;
}

/** True when numbers of tokens are estimates; those without a word about their origin are. */
export function isEstimate(head: ViewHead): boolean {
  return isEstimatedHead(head) ? (head.estimation?.is_estimated ?? true) : false;
}
