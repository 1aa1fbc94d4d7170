import { formatDay } from "#history/reports/calendar.ts";
import { describePeriod, findRangeBefore, type TimeRange } from "#history/reports/time-range.ts";
import { listMethod } from "#history/reports/call-kinds.ts";
import { makeTrend } from "#history/reports/make-trend.ts";
import { describeTool } from "#history/reports/report-rows.ts";
import { makeSums, type Sums } from "#history/reports/usage-sums.ts";
import type { UsageFact } from "#history/reports/usage-cube.ts";
import type { CallTable } from "../model/call-table.ts";
import type { DashModel } from "../model/model.ts";
import { formatReportCommand, periodDays, type TrendView, type ViewChoice } from "../view.ts";
import { type Scope, buildScope, type ViewContext, dashRowsMax, selectCallRows } from "./scope.ts";

/** Compares the same periods as the `report --trend` command that the page shows. */
export function buildTrendView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): TrendView {
  const scope = buildScope(model, { ...choice, period: "all" }, context);
  const { zone } = model;
  const { today } = scope;
  const recordedDays = today - scope.firstDay + 1;
  const wantedDays = periodDays[choice.period];
  const shownDays = Math.max(1, Math.min(wantedDays, Math.floor(recordedDays / 2)));
  const first = today - shownDays + 1;
  const range = { fromMs: zone.findDayStart(first), toMs: context.nowMs + 1 };
  const earlier = findRangeBefore(range, zone, context.nowMs) ?? range;
  const days = [first, today] as const;
  const plan = { days, before: describePeriod(earlier, zone), top: dashRowsMax };
  const trend = makeTrend(selectTrendFacts(scope, first, earlier), plan);
  const command = formatReportCommand({ choice, since: formatDay(first), timezone: zone.name });
  const rows = trend.rows.map((row) => [JSON.stringify([row.server, row.tool]), row] as const);
  const isShorter = shownDays < wantedDays && choice.period !== "all";
  const notes = isShorter ? [describeShortTrend(shownDays, wantedDays)] : [];
  return {
    head: {
      ...scope.head,
      first: formatDay(first),
      last: formatDay(today),
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
  const compared =
    days === 1 ? "today with the day before" : `the last ${days} days with the ${days} before`;
  return `This page compares ${compared}; to compare ${wantedDays} days, start dash with --since ${2 * wantedDays}d`;
}

// A fact's `range` is the number of its period: 0 for the shown period, 1 for the earlier one.
const earlierRange = 1;

function selectTrendFacts(scope: Scope, first: number, earlier: TimeRange): readonly UsageFact[] {
  const { zone } = scope.model;
  const [firstBefore, cutDay] = [zone.findDay(earlier.fromMs), zone.findDay(earlier.toMs)];
  return [
    ...scope.facts.filter(({ day }) => day >= first),
    ...scope.facts
      .filter(({ day }) => day >= firstBefore && day < cutDay)
      .map((fact) => ({ ...fact, range: earlierRange })),
    ...cutFacts(scope, cutDay, earlier.toMs),
  ];
}

// The earlier period ends in the middle of a day, as the shown period does. Facts cover whole days. So the calls on the
// last day of the earlier period are added up one by one.
function cutFacts(scope: Scope, cutDay: number, toMs: number): readonly UsageFact[] {
  const { calls, zone } = scope.model;
  const facts = new Map(
    scope.facts
      .filter(({ day, method }) => day === cutDay && method !== listMethod)
      .map((fact) => {
        const tool = describeTool(fact.method, fact.tool);
        const key = makeKey(fact.session.id, fact.server, tool);
        return [key, { ...fact, range: earlierRange, sums: makeSums() }] as const;
      }),
  );
  const fromMs = zone.findDayStart(cutDay);
  for (const row of selectCallRows(scope)) {
    const ms = calls.readTimeMs(row);
    if (ms < fromMs || ms >= toMs) continue;
    const key = makeKey(calls.readSession(row), calls.readServer(row), calls.readTool(row));
    const fact = facts.get(key);
    if (fact) addRow(fact.sums, calls, row);
  }
  return [...facts.values()].filter(({ sums }) => sums.calls > 0);
}

function makeKey(...names: readonly [session: string, server: string, tool: string]): string {
  return JSON.stringify(names);
}

function addRow(sums: Sums, calls: CallTable, row: number): void {
  const outcome = calls.readOutcome(row);
  sums.calls += 1;
  sums.input_tokens += calls.readAmount(row, "input");
  sums.output_tokens += calls.readAmount(row, "output");
  if (outcome === "cancelled") sums.cancelled += 1;
  if (outcome !== "refused") return;
  sums.refused += 1;
  sums.refused_tokens += calls.sumTokens(row);
}
