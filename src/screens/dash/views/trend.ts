import { pluralize } from "#kit/text/numbers.ts";
import { dayText, describePeriod } from "#history/reports/calendar.ts";
import { makeTrend } from "#history/reports/make-trend.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import type { DashModel } from "../model/model.ts";
import { formatReportCommand, countDays, type TrendView, type ViewChoice } from "../view.ts";
import { type Scope, buildScope, type ViewSetting, dashRowsMax } from "./scope.ts";

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
  const facts = selectTrendFacts(scope, days[0], length);
  const trend = makeTrend(facts, plan);
  const command = formatReportCommand({
    choice,
    since: dayText(days[0]),
    until: dayText(days[1]),
    timezone: zone.name,
  });
  const rows = trend.rows.map((row) => [JSON.stringify([row.server, row.tool]), row] as const);
  const wantedDays = countDays(choice.period);
  const isShorter = length < wantedDays && choice.period !== "all";
  const notes = isShorter ? [describeShortTrend(length, wantedDays)] : [];
  return {
    head: {
      ...scope.head,
      first: dayText(days[0]),
      last: dayText(days[1]),
      command,
      notes: [...scope.head.notes, ...notes],
      before: trend.before,
      days: trend.days,
      tokens: { now: trend.total.now.tokens, before: trend.total.before.tokens },
    },
    tables: { rows: Object.fromEntries(rows) },
  };
}

function describeShortTrend(days: number, wantedDays: number): string {
  // Twice the days, and today.
  const since = `${2 * wantedDays + 1}d`;
  return `This page compares ${pluralize(days, "day")} with as many before; to compare ${wantedDays}, start dash with --since ${since}`;
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
