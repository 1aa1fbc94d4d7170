import { dashRowsMax } from "../../limits.ts";
import { dayText } from "#history/reports/calendar.ts";
import { makeTrend } from "#history/reports/make-trend.ts";
import { describePeriod } from "#history/reports/make-report.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import type { DashModel } from "../model/model.ts";
import { formatOption, countDays, type TrendView, type ViewChoice } from "../view.ts";
import { type Scope, buildScope, type ViewSetting } from "./scope.ts";
import { dashViewSentences } from "./sentences.ts";

// Compares two periods of whole days, so today is in neither.
export function buildTrendView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): TrendView {
  const scope = buildScope(model, { ...choice, period: "all" }, setting);
  const { zone } = model;
  const recordedDays = scope.today - scope.first;
  const length = Math.max(1, Math.min(countDays(choice.period), Math.floor(recordedDays / 2)));
  const days = [scope.today - length, scope.today - 1] as const;
  const range = { fromMs: zone.findDayStart(days[0]), toMs: zone.findDayStart(scope.today) };
  const earlier = { fromMs: zone.findDayStart(days[0] - length), toMs: range.fromMs };
  const plan = { days, before: describePeriod(earlier, zone), top: dashRowsMax };
  const trend = makeTrend(selectTrendFacts(scope, days[0], length), plan);
  const rows = trend.rows.map((row) => [JSON.stringify([row.server, row.tool]), row] as const);
  const isShorter = length < countDays(choice.period) && choice.period !== "all";
  const notes = isShorter ? [dashViewSentences.dashTrendShorter(length)] : [];
  return {
    head: {
      ...scope.head,
      first: dayText(days[0]),
      last: dayText(days[1]),
      command: formatTrendCommand(choice, days, zone.name),
      notes: [...scope.head.notes, ...notes],
      before: trend.before,
      days: trend.days,
    },
    tables: { rows: Object.fromEntries(rows) },
  };
}

function selectTrendFacts(
  { facts, today }: Scope,
  first: number,
  length: number,
): readonly UsageFact[] {
  return facts
    .filter(({ day }) => day < today && day >= first - length)
    .map((fact) => ({ ...fact, range: fact.day >= first ? 0 : 1 }));
}

function formatTrendCommand(
  { server, client, estimator }: ViewChoice,
  [first, last]: readonly [number, number],
  timezone: string,
): string {
  return [
    "mcp-meter report --trend --since",
    dayText(first),
    "--until",
    dayText(last),
    ...formatOption("--server", server),
    ...formatOption("--client", client),
    ...formatOption("--estimator", estimator),
    ...formatOption("--timezone", timezone),
  ].join(" ");
}
