import type {
  Measures,
  DefinitionSide,
  DefinitionTrend,
  DefinitionTrendRow,
  TrendRow,
  TrendSide,
  UsageTrend,
  UsageReport,
} from "#history/reports/usage-report.ts";
import { formatDollarRange, formatCount, formatShare } from "#kit/text/numbers.ts";
import type { Column, Cell, Row, Section } from "../document.ts";
import { type TokenFormat, omittedLine } from "./parts.ts";
import { reportNameColumnsMax } from "#kit/limits.ts";

export type MeasureColumn = Column & {
  readonly numberIn: (measures: Measures) => number;
  readonly textIn: (measures: Measures, format: TokenFormat) => string;
  readonly isWideOnly?: boolean;
  /** False if the records of a report do not have this number; absent if all have it. */
  readonly isKnown?: (totals: Measures) => boolean;
};

const mean = (sum: number, { definition_lists: lists }: Measures): number =>
  lists === 0 ? 0 : sum / lists;

function countColumn(
  head: string,
  dropRank: number,
  numberIn: MeasureColumn["numberIn"],
  isWideOnly = false,
): MeasureColumn {
  const textIn: MeasureColumn["textIn"] = (measures) => formatCount(numberIn(measures));
  return { head, isNumber: true, dropRank, numberIn, textIn, isWideOnly };
}

function tokenColumn(
  head: string,
  dropRank: number | undefined,
  numberIn: MeasureColumn["numberIn"],
  isWideOnly = false,
): MeasureColumn {
  const textIn: MeasureColumn["textIn"] = (measures, { count }) => count(numberIn(measures));
  const rank = dropRank === undefined ? {} : { dropRank };
  return { head, isNumber: true, ...rank, numberIn, textIn, isWideOnly };
}

const callColumns: readonly MeasureColumn[] = [
  { ...countColumn("calls", 12, (row) => row.calls) },
  countColumn("errors", 11, (row) => row.errors),
  countColumn("refused", 7, (row) => row.refused),
  countColumn("cancelled", 1, (row) => row.cancelled, true),
  countColumn("abandoned", 1, (row) => row.abandoned, true),
  countColumn("repeats", 8, (row) => row.repeated_calls),
  tokenColumn("args", 2, (row) => row.input_tokens, true),
  tokenColumn("result", 2, (row) => row.output_tokens, true),
  tokenColumn("wire", 1, (row) => row.wire_tokens, true),
  tokenColumn("duplicate", 1, (row) => row.duplicate_tokens, true),
  tokenColumn("max", 3, (row) => row.max_tokens, true),
];

const isLogged = ({ rereads }: Measures): boolean => rereads !== undefined;

const loggedColumns: readonly MeasureColumn[] = [
  { ...countColumn("re-reads", 1, ({ rereads = 0 }) => rereads), isKnown: isLogged },
  { ...tokenColumn("carried", 2, (row) => row.carried_tokens ?? 0), isKnown: isLogged },
];

const rentColumn: MeasureColumn = {
  head: "rent",
  isNumber: true,
  dropRank: 3,
  numberIn: ({ rent_tokens: tokens = 0 }) => tokens ?? 0,
  textIn: ({ rent_requests: requests = 0, rent_tokens: tokens = 0 }, { count }) =>
    tokens === null ? "unknown" : requests === 0 ? "" : count(tokens),
  isKnown: ({ rent_tokens: tokens }) => tokens !== undefined,
};

const shareColumn: MeasureColumn = {
  head: "share",
  isNumber: true,
  dropRank: 13,
  numberIn: ({ share }) => share,
  textIn: ({ share }) => formatShare(share),
};

const costColumn: MeasureColumn = {
  head: "cost",
  isNumber: true,
  dropRank: 14,
  numberIn: ({ cost_usd: cost }) => cost?.high ?? 0,
  textIn: ({ cost_usd: cost }) => (cost ? formatDollarRange(cost) : ""),
  isKnown: ({ cost_usd: cost }) => cost !== undefined,
};

export const toolColumns: readonly MeasureColumn[] = [
  countColumn("sessions", 6, (row) => row.sessions),
  ...callColumns,
  ...loggedColumns,
  rentColumn,
  tokenColumn("tokens", undefined, (row) => row.context_tokens),
  shareColumn,
  costColumn,
];

/** Definitions are those of an average session, all other numbers are sums. */
export const usageColumns: readonly MeasureColumn[] = [
  countColumn("sessions", 9, (row) => row.sessions),
  tokenColumn("listed", 4, (row) => mean(row.listed_tokens, row)),
  tokenColumn("in context", 10, (row) => mean(row.resident_tokens, row)),
  tokenColumn("loaded", 5, (row) => mean(row.loaded_tokens, row)),
  ...callColumns,
  ...loggedColumns,
  rentColumn,
  tokenColumn("in calls", 6, (row) => row.total_tokens),
  tokenColumn("tokens", undefined, (row) => row.context_tokens),
  shareColumn,
  costColumn,
];

/** The number of calls says how much a change is worth, so it outlasts the size before. */
const columns: readonly Column[] = [
  { head: "server" },
  { head: "tool" },
  { head: "calls before", isNumber: true, dropRank: 3 },
  { head: "calls", isNumber: true, dropRank: 4 },
  { head: "a call before", isNumber: true, dropRank: 2 },
  { head: "a call", isNumber: true },
  { head: "change", isNumber: true },
];

const sparkColumn: Column = { head: "by day", dropRank: 1 };

const definitionColumns: readonly Column[] = [
  { head: "server" },
  { head: "definitions" },
  { head: "lists before", isNumber: true, dropRank: 2 },
  { head: "lists", isNumber: true, dropRank: 3 },
  { head: "a list before", isNumber: true, dropRank: 1 },
  { head: "a list", isNumber: true },
  { head: "change", isNumber: true },
];

export function trendSections(
  { rows, more, days, definitions }: UsageTrend,
  { count }: TokenFormat,
  isTerminal: boolean,
): readonly Section[] {
  const hasBars = isTerminal && days.length > 1;
  const grid: Section = {
    kind: "grid",
    columns: hasBars ? [...columns, sparkColumn] : columns,
    rows: rows.map((row): Row => {
      const bars = hasBars ? [sparkline(row.daily_tokens)] : [];
      return [...labels(row), ...numbers(row, count), ...bars];
    }),
  };
  return [
    ...(rows.length > 0 ? [grid] : []),
    ...omittedLine(rows.length + more, rows.length, "row"),
    ...definitionSections(definitions, count),
  ];
}

function definitionSections(
  { rows, more }: DefinitionTrend,
  count: TokenFormat["count"],
): readonly Section[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row): Row => [...labels(row), ...definitionNumbers(row, count)]);
  return [
    { kind: "grid", columns: definitionColumns, rows: cells },
    ...omittedLine(rows.length + more, rows.length, "row"),
  ];
}

function definitionNumbers(
  { before, now, change }: DefinitionTrendRow,
  count: TokenFormat["count"],
): readonly Cell[] {
  const size = ({ tokens_per_list: tokens }: DefinitionSide): string =>
    tokens === null ? "" : count(tokens);
  return [
    formatCount(before.lists),
    formatCount(now.lists),
    size(before),
    size(now),
    before.lists === 0 || now.lists === 0 ? onlyOneSide(before) : changeCell(change),
  ];
}

function onlyOneSide({ lists }: DefinitionSide): string {
  return lists === 0 ? "new" : "none now";
}

function labels({ server, tool }: Pick<TrendRow, "server" | "tool">): readonly Cell[] {
  return [named(server), tool === null ? "(all)" : named(tool)];
}

function named(name: string): Cell {
  return { name, columnsMax: reportNameColumnsMax };
}

function numbers({ before, now, change }: TrendRow, count: TokenFormat["count"]): readonly Cell[] {
  const each = ({ tokens_per_call: tokens }: TrendSide): string =>
    tokens === null ? "" : count(tokens);
  return [
    formatCount(before.calls),
    formatCount(now.calls),
    each(before),
    each(now),
    changeCell(change),
  ];
}

function changeCell(change: number | null): Cell {
  if (change === null) return "";
  const share = formatShare(Math.abs(change));
  if (share === formatShare(0)) return "=";
  return change > 0
    ? { text: `↑ ${share}`, tone: "caution" }
    : { text: `↓ ${share}`, tone: "good" };
}

const bars = "▁▂▃▄▅▆▇█";

function sparkline(values: readonly number[]): string {
  const most = Math.max(0, ...values);
  if (most === 0) return "";
  const last = bars.length - 1;
  // Only 0 has the lowest bar.
  return values.map((number) => bars[Math.ceil((number / most) * last)] ?? "").join("");
}

export function periodText(report: Pick<UsageReport, "first" | "last" | "timezone">): string {
  return `${daysText(report)}, ${report.timezone}`;
}

export function daysText({ first, last }: Pick<UsageReport, "first" | "last">): string {
  if (first === null && last === null) return "all days";
  if (first === null) return `all days to ${last}`;
  if (last === null) return `${first} until now`;
  return first === last ? first : `${first} to ${last}`;
}
