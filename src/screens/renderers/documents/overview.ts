import type { LimitInPlace } from "#history/reports/advice/make-advice.ts";
import type { Advice } from "#history/reports/advice/advice.ts";
import type {
  Axis,
  Measures,
  PeriodBefore,
  UsageReport,
  UsageRow,
  UsageTable,
} from "#history/reports/usage-report.ts";
import { formatDay, parseDay } from "#history/reports/calendar.ts";
import {
  addUp,
  formatCount,
  formatDollarRange,
  formatGrowth,
  formatShare,
  pluralize,
} from "#kit/text/numbers.ts";
import { type Document, type Note, type Row, type Section } from "../document.ts";
import { makeTokenFormat, type TokenFormat } from "../token-ranges.ts";
import { formatPeriod } from "./shared-texts.ts";
import { listCostNotes } from "./cost-notes.ts";
import { groupAdvice, makeBriefNote, listFollowedNotes } from "../reports/advice.ts";
import { buildGrid, listRemovedNotes } from "./usage.ts";
import {
  listLoggedNotes,
  listRefusedNotes,
  listRepeatNotes,
  listToolListNotes,
} from "./usage-notes.ts";
import { listCountingNotes } from "./estimator-notes.ts";

// With these limits, the overview of a week fits on a screen of 40 lines and 80 columns.
export const overviewServersMax = 5;

export const overviewToolsMax = 10;

export const overviewBarsMax = 14;

const adviceShownMax = 3;

export type OverviewOptions = {
  readonly limitsInPlace?: readonly LimitInPlace[] | undefined;
  /** Makes the overview explain its costs. */
  readonly isCosted?: boolean;
  /** Prints all columns of each table, and tables instead of bars. */
  readonly isWide?: boolean;
  readonly advice: readonly Advice[];
};

export function buildOverview(
  report: UsageReport,
  { advice, limitsInPlace = [], isCosted = false, isWide = false }: OverviewOptions,
): Document {
  const { sum } = report;
  const isEstimated = sum.estimation?.is_estimated !== false;
  const format = makeTokenFormat(isEstimated);
  const mark = isEstimated ? "~" : "";
  const shownGroups = groupAdvice(advice).slice(0, adviceShownMax);
  const measuredLimits = limitsInPlace.filter(({ effect }) => effect);
  const notes = [
    ...shownGroups.map((group) => makeBriefNote(group, mark)),
    ...listFollowedNotes({ limitsInPlace: measuredLimits, configured: [], mark }),
    ...listCountingNotes(sum.counted_by, true),
    ...listRefusedNotes(sum.totals),
    ...listRepeatNotes(sum.totals, format),
    ...listToolListNotes(sum.totals, format),
    ...listLoggedNotes(sum.totals),
    ...(isCosted ? listCostNotes({ ...report, total: sum.totals }) : listBriefCostNotes(report)),
    ...listRemovedNotes(report.removed),
    makeMoreNote(advice.length, isWide),
  ];
  return {
    title: `mcp-meter: ${formatPeriod(report)}`,
    sections: [
      { kind: "line", text: describeSum(report, format) },
      ...sum.tables.map((table) =>
        isWide
          ? buildGrid(table, sum.totals, { format, isWide })
          : buildTable(table, report, format),
      ),
      { kind: "notes", notes },
    ],
  };
}

function listBriefCostNotes({ cost, sum: { totals } }: UsageReport): readonly Note[] {
  if (!cost) return [];
  const unpriced = addUp(cost.unpriced.map(({ calls }) => calls));
  if (!totals.cost_usd) {
    if (unpriced === 0) return [];
    const unknown = `unknown: no price for the model of ${pluralize(unpriced, "call")}`;
    return [{ label: "cost", text: `${unknown}; see --by model --cost` }];
  }
  const calls = `${formatCount(totals.calls - unpriced)} of ${pluralize(totals.calls, "call")}`;
  const text = `${formatDollarRange(totals.cost_usd)} at list prices for ${calls}, definitions not included`;
  return [{ label: "cost", text }];
}

function describeSum({ sum, before }: UsageReport, format: TokenFormat): string {
  const { sessions, calls, context_tokens: tokens, cost_usd: cost } = sum.totals;
  const dollars = cost ? `, ${formatDollarRange(cost)}` : "";
  const counts = `in ${pluralize(sessions, "session")}, ${pluralize(calls, "call")}${dollars}`;
  const change = before && describeChange(sum.totals, before);
  if (change === undefined) return `${format.tokens(tokens)} ${counts}`;
  return before?.comparable === "calls"
    ? `${format.tokens(tokens)} ${counts}; calls took ${change}`
    : `${format.tokens(tokens)} (${change}) ${counts}`;
}

function describeChange(totals: Measures, before: PeriodBefore): string | undefined {
  const comparesCalls = before.comparable === "calls";
  const tokens = comparesCalls ? before.call_tokens : before.context_tokens;
  if (tokens === 0) return undefined;
  const now = comparesCalls ? totals.total_tokens - totals.refused_tokens : totals.context_tokens;
  const unit = comparesCalls ? " tokens" : "";
  const change = now / tokens - 1;
  const share = formatShare(Math.abs(change));
  const growth = share === formatShare(0) ? "about" : formatGrowth(change);
  if (growth !== undefined) return `${growth} as many${unit} as before`;
  return `${share} ${change < 0 ? "fewer" : "more"}${unit} than before`;
}

function buildTable(table: UsageTable, report: UsageReport, format: TokenFormat): Section {
  if (table.by.length === 1 && table.by.every((axis) => ["day", "week", "month"].includes(axis))) {
    return buildBars(addIdleDays(table, report), format);
  }
  return buildGrid(table, report.sum.totals, { format, isWide: false, hasTotal: false });
}

type Bar = Pick<UsageRow, "day" | "week" | "month" | "context_tokens">;

type Bars = { readonly by: readonly Axis[]; readonly rows: readonly Bar[] };

function addIdleDays({ by, rows }: UsageTable, { first, last }: UsageReport): Bars {
  if (by[0] !== "day") return { by, rows };
  const tokensByDay = new Map(rows.map(({ day, context_tokens: tokens }) => [day, tokens]));
  const days = [
    first?.slice(0, dayLength),
    last?.slice(0, dayLength),
    ...tokensByDay.keys(),
  ].flatMap((text) => parseDay(text ?? "") ?? []);
  const firstDay = Math.min(...days);
  const length = Math.max(...days) - firstDay + 1;
  if (length > overviewBarsMax) return { by, rows };
  const bars = Array.from({ length }, (_, index): Bar => {
    const day = formatDay(firstDay + index);
    return { day, context_tokens: tokensByDay.get(day) ?? 0 };
  });
  const markedBars = markPartialDay(bars, first ?? "");
  const isDescending = (rows[0]?.day ?? "") > (rows.at(-1)?.day ?? "");
  return { by, rows: isDescending ? markedBars.toReversed() : markedBars };
}

// A period such as 24h begins in the middle of its first day.
function markPartialDay(bars: readonly Bar[], first: string): readonly Bar[] {
  const [firstBar, ...otherBars] = bars;
  const time = first.slice(dayLength).trim();
  if (!firstBar || time === "") return bars;
  if (firstBar.context_tokens === 0) return otherBars;
  return [{ ...firstBar, day: `${firstBar.day}, from ${time}` }, ...otherBars];
}

const dayLength = "2026-11-01".length;

const barColumnsMax = 24;

function buildBars({ by, rows }: Bars, format: TokenFormat): Section {
  const max = Math.max(...rows.map((row) => row.context_tokens));
  return {
    kind: "grid",
    columns: [{ head: by[0] ?? "" }, { head: "tokens", isNumber: true }, { head: "", dropRank: 1 }],
    rows: rows.map(({ day, week, month, context_tokens: tokens }): Row => {
      const length = max === 0 ? 0 : Math.ceil((tokens / max) * barColumnsMax);
      return [day ?? week ?? month ?? "", format.count(tokens), "█".repeat(length)];
    }),
  };
}

function makeMoreNote(adviceCount: number, isWide: boolean): Note {
  const adviceOption = adviceCount > 0 ? "--advice (prints commands too), " : "";
  const wideOption = isWide ? "" : "--wide, ";
  return { label: "more", text: `${adviceOption}--by AXIS, --trend, ${wideOption}--help` };
}
