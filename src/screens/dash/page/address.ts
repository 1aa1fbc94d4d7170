import {
  choiceNames,
  periods,
  screens,
  type ViewPeriod,
  type Screen,
  type ViewChoice,
  type AdviceView,
  type BudgetsView,
  type DefinitionsView,
  type OverviewView,
  type SessionView,
  type ToolView,
  type TrendView,
  type View,
  type ViewHead,
} from "../view.ts";

const defaultChoice: ViewChoice = { screen: "overview", period: "7d" };

type ChoiceName = (typeof choiceNames)[number];

// Example: `#/tool?period=7d&server=memory&tool=search`. Unknown values are ignored.
export function parseAddress(hash: string): ViewChoice {
  const [path, query] = splitOnce(hash.replace(/^#?\/?/, ""), "?");
  const params = new URLSearchParams(query);
  const namedEntries = choiceNames.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === "" ? [] : [[name, value] as const];
  });
  return {
    screen: screens.find((screen) => screen === path) ?? defaultChoice.screen,
    period: periods.find((period) => period === params.get("period")) ?? defaultChoice.period,
    ...Object.fromEntries(namedEntries),
  };
}

export function formatAddress(choice: ViewChoice): string {
  const { screen, period } = choice;
  const pairs = period === defaultChoice.period ? [] : [["period", period] as const];
  const query = buildQuery([...pairs, ...listNames(choice)]);
  const path = screen === defaultChoice.screen ? "#/" : `#/${screen}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function formatQuery(choice: ViewChoice): string {
  const { screen, period } = choice;
  return buildQuery([["screen", screen], ["period", period], ...listNames(choice)]).toString();
}

export function changeChoice(
  choice: ViewChoice,
  change: { readonly [name in ChoiceName]?: string | undefined } & { readonly period?: ViewPeriod },
): ViewChoice {
  return { ...choice, ...change };
}

export function switchScreen(choice: ViewChoice, screen: Screen): ViewChoice {
  // On these screens the server identifies the tool or session; it is not a filter.
  const isFilter = choice.screen !== "tool" && choice.screen !== "session";
  return { ...keepFilters(choice), screen, server: isFilter ? choice.server : undefined };
}

/** Of a tool, a session or the definitions of a server. */
export function openScreen(
  choice: ViewChoice,
  screen: Screen,
  names: { readonly [name in "server" | "tool" | "session"]?: string },
): ViewChoice {
  return { ...keepFilters(choice), screen, ...names };
}

function keepFilters({ period, client, estimator, cost }: ViewChoice): Omit<ViewChoice, "screen"> {
  return { period, client, estimator, cost };
}

function buildQuery(pairs: readonly (readonly [name: string, value: string])[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return query;
}

function listNames(choice: ViewChoice): (readonly [name: ChoiceName, value: string])[] {
  return choiceNames.flatMap((name) => {
    const value = choice[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
}

function splitOnce(text: string, separator: string): [before: string, after: string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

type ScreenViews = {
  readonly overview: OverviewView;
  readonly session: SessionView;
  readonly tool: ToolView;
  readonly definitions: DefinitionsView;
  readonly budgets: BudgetsView;
  readonly trend: TrendView;
  readonly advice: AdviceView;
};

// Trusts the server to send the facts and tables of the screen.
export function isScreenView<S extends Screen>(
  view: View,
  screen: S,
): view is View & ScreenViews[S] {
  return view.head.screen === screen;
}

export function hasEstimates({ estimation }: ViewHead): boolean {
  return estimation?.is_estimated ?? true;
}
