import { pluralize } from "#kit/text/numbers.ts";
import {
  choiceNames,
  defaultPeriod,
  periodDays,
  periods,
  screens,
  type ViewName,
  type ViewChoice,
  type ViewPeriod,
} from "../view.ts";

const defaultChoice: ViewChoice = { screen: "overview", period: defaultPeriod };

// Example: `#/tool?period=7d&server=memory&tool=search`.
export function parseAddress(hash: string): ViewChoice {
  const [path, query] = hash.replace(/^#?\/?/, "").split("?", 2);
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
  const names = Object.fromEntries(listNamedEntries(choice));
  const query = new URLSearchParams(period === defaultChoice.period ? names : { period, ...names });
  const path = screen === defaultChoice.screen ? "#/" : `#/${screen}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function formatQuery(choice: ViewChoice): string {
  const { screen, period } = choice;
  return `${new URLSearchParams({ screen, period, ...Object.fromEntries(listNamedEntries(choice)) })}`;
}

export function switchScreen(choice: ViewChoice, screen: ViewName): ViewChoice {
  // On the screens of a tool or session, the server is not a filter.
  const isFilter = choice.screen !== "tool" && choice.screen !== "session";
  return { ...keepFilters(choice), screen, server: isFilter ? choice.server : undefined };
}

export function openScreen(
  choice: ViewChoice,
  screen: ViewName,
  names: { readonly [name in "server" | "tool" | "session"]?: string },
): ViewChoice {
  return { ...keepFilters(choice), screen, ...names };
}

function keepFilters({ period, client, estimator, cost }: ViewChoice): Omit<ViewChoice, "screen"> {
  return { period, client, estimator, cost };
}

function listNamedEntries(choice: ViewChoice): [name: string, value: string][] {
  return choiceNames.flatMap((name): [string, string][] => {
    const value = choice[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
}

type PeriodLabels = readonly (readonly [period: ViewPeriod, label: string])[];

/** Always lists `today` and the chosen period. Omits other periods that show the same days as a listed one. */
export function listPeriods({ screen, period }: ViewChoice, recordedDays: number): PeriodLabels {
  // A trend compares the period with as many days before it.
  const daysMax = screen === "trend" ? Math.max(1, Math.floor(recordedDays / 2)) : recordedDays;
  const labels = periods.flatMap((candidate, index) => {
    const shorter = periods[index - 1];
    const isShown = shorter === undefined || periodDays[shorter] < daysMax || candidate === period;
    const shownDays = Math.min(periodDays[candidate], daysMax);
    const label = candidate === "today" ? "Today" : pluralize(shownDays, "day");
    return isShown ? [[candidate, label] as const] : [];
  });
  const [, chosenLabel] = labels.find(([candidate]) => candidate === period) ?? [];
  return labels.filter(([candidate, label]) => candidate === period || label !== chosenLabel);
}
