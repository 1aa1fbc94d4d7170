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

type ScreenViews = {
  readonly overview: OverviewView;
  readonly session: SessionView;
  readonly tool: ToolView;
  readonly definitions: DefinitionsView;
  readonly budgets: BudgetsView;
  readonly trend: TrendView;
};

/** The server decides which facts and tables a screen has. */
export function isViewOf<S extends Screen>(view: View, screen: S): view is View & ScreenViews[S] {
  return view.head.screen === screen;
}

export function isEstimatedHead(head: ViewHead): head is EstimatedHead {
  return "estimation" in head;
}

export function isEstimate(head: ViewHead): boolean {
  return isEstimatedHead(head) ? (head.estimation?.is_estimated ?? true) : false;
}
