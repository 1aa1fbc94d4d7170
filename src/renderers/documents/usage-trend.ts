import { reportNameColumnsMax } from "#limits.ts";
import type { TrendRow, TrendSide, UsageTrend } from "#reports/usage-report.ts";
import { formatCount, formatShare } from "#text/numbers.ts";
import { sparkline } from "#text/sparkline.ts";
import type { Cell, Column, Row, Section } from "../document.ts";
import { omittedLine } from "./parts.ts";
import type { TokenFormat } from "./token-format.ts";

const columns: readonly Column[] = [
  { head: "server" },
  { head: "tool" },
  { head: "calls before", isNumber: true, dropRank: 2 },
  { head: "calls", isNumber: true, dropRank: 3 },
  { head: "a call before", isNumber: true, dropRank: 4 },
  { head: "a call", isNumber: true },
  { head: "change", isNumber: true },
];

const sparkColumn: Column = { head: "by day", dropRank: 1 };

/** This period against the one before, one row per server and tool. Only a terminal shows the bars of days. */
export function trendSections(
  { rows, more, days }: UsageTrend,
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
  return [grid, ...omittedLine(rows.length + more, rows.length, "row")];
}

function labels({ server, tool }: TrendRow): readonly Cell[] {
  return [named(server), tool === null ? "(all)" : named(tool)];
}

/** A name in full. */
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

/** An arrow and the change; nothing where there are too few calls to say so. */
function changeCell(change: number | null): Cell {
  if (change === null) return "";
  const share = formatShare(Math.abs(change));
  if (share === formatShare(0)) return "=";
  return change > 0
    ? { text: `↑ ${share}`, tone: "caution" }
    : { text: `↓ ${share}`, tone: "good" };
}
