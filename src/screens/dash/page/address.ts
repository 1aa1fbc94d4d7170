import {
  periods,
  screens,
  type ViewPeriod,
  type Screen,
  type ViewChoice,
  type BudgetsView,
  type DefinitionsView,
  type EstimatedHead,
  type OverviewView,
  type SessionView,
  type ToolView,
  type TrendView,
  type View,
  type ViewHead,
} from "../view.ts";

const first: ViewChoice = { screen: "overview", period: "7d" };

const names = ["server", "client", "estimator", "session", "tool"] as const;

type ChoiceName = (typeof names)[number];

/** `#/tool?period=7d&server=memory&tool=search`. Unknown parts are left out. */
export function parseAddress(hash: string): ViewChoice {
  const [path, query] = splitOnce(hash.replace(/^#?\/?/, ""), "?");
  const params = new URLSearchParams(query);
  const named = names.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === "" ? [] : [[name, value] as const];
  });
  return {
    screen: screens.find((screen) => screen === path) ?? first.screen,
    period: periods.find((period) => period === params.get("period")) ?? first.period,
    ...Object.fromEntries(named),
  };
}

export function addressOf(choice: ViewChoice): string {
  const { screen, ...rest } = choice;
  const period = rest.period === first.period ? [] : [["period", rest.period] as const];
  const query = queryOf([...period, ...namesIn(choice)]);
  const path = screen === first.screen ? "#/" : `#/${screen}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function paramsOf(choice: ViewChoice): string {
  const { screen, period } = choice;
  return queryOf([["screen", screen], ["period", period], ...namesIn(choice)]).toString();
}

export function changed(
  choice: ViewChoice,
  change: { readonly [name in ChoiceName]?: string | undefined } & { readonly period?: ViewPeriod },
): ViewChoice {
  return { ...choice, ...change };
}

export function onScreen(choice: ViewChoice, screen: Screen): ViewChoice {
  const { period, client, estimator } = choice;
  // There the server is part of the name of the thing itself, not a filter that was chosen.
  const isFilter = choice.screen !== "tool" && choice.screen !== "session";
  return { screen, period, server: isFilter ? choice.server : undefined, client, estimator };
}

export function toolChoice(choice: ViewChoice, server: string, tool: string): ViewChoice {
  const { period, client, estimator } = choice;
  return { screen: "tool", period, server, client, estimator, tool };
}

export function definitionsChoice(choice: ViewChoice, server: string | undefined): ViewChoice {
  const { period, client, estimator } = choice;
  return { screen: "definitions", period, server, client, estimator };
}

export function sessionChoice(choice: ViewChoice, session: string): ViewChoice {
  const { period, estimator } = choice;
  return { screen: "session", period, estimator, session };
}

function queryOf(pairs: readonly (readonly [name: string, value: string])[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return query;
}

function namesIn(choice: ViewChoice): (readonly [name: ChoiceName, value: string])[] {
  return names.flatMap((name) => {
    const value = choice[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
}

function splitOnce(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

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
