import { reportNameColumnsMax } from "#kit/limits.ts";
import type {
  DefinitionSide,
  DefinitionTrend,
  DefinitionTrendRow,
  TrendRow,
  TrendSide,
  UsageTrend,
} from "#history/reports/usage-report.ts";
import { formatCount, formatShare } from "#kit/text/numbers.ts";
import type { Cell, Column, Row, Section } from "../document.ts";
import { omittedLine } from "./parts.ts";
import type { TokenFormat } from "./token-format.ts";

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
