import { summaryRowsMax } from "#limits.ts";
import type { Summary, ToolRow, TotalRow } from "#records/summary.ts";
import { shownCount, shownMs, shownName, shownShare } from "./text.ts";

/** Headings of the table of tools, in order; the first is text, the others are numbers. */
export const headings = [
  "tool",
  "calls",
  "errors",
  "refused",
  "args",
  "result",
  "total",
  "share",
  "avg",
  "max",
  "p95ms",
  "risk",
] as const;

/** Cells of the table of tools, dearest first, then the total. Names are safe to print. */
export function tableRows(summary: Summary): { rows: string[][]; total: string[] } {
  const mark = estimateMark(summary);
  const several = summary.servers.length > 1;
  const rows = summary.tools.slice(0, summaryRowsMax).map((row) => {
    const name = several ? `${row.server} · ${row.tool}` : row.tool;
    return cells(shownName(name), row, row.share, mark);
  });
  const left = summary.tools.slice(summaryRowsMax);
  if (left.length > 0) rows.push(restRow(left, mark));
  const total = cells("total", summary.total, summary.total.calls > 0 ? 1 : 0, mark);
  return { rows, total };
}

/** `~` where numbers are estimates. */
export function estimateMark(summary: Summary): string {
  return summary.estimation?.is_estimated === false ? "" : "~";
}

function cells(name: string, row: TotalRow, share: number, mark: string): string[] {
  const tokens = (count: number): string => `${mark}${shownCount(count)}`;
  return [
    name,
    shownCount(row.calls),
    shownCount(row.errors),
    shownCount(row.refused),
    tokens(row.input_tokens),
    tokens(row.output_tokens),
    tokens(row.total_tokens),
    shownShare(share),
    tokens(row.average_tokens),
    tokens(row.max_tokens),
    shownMs(row.p95_ms),
    row.risk,
  ];
}

function restRow(rows: readonly ToolRow[], mark: string): string[] {
  const sum = (pick: (row: ToolRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  const count = (pick: (row: ToolRow) => number): string => shownCount(sum(pick));
  const tokens = (pick: (row: ToolRow) => number): string => `${mark}${count(pick)}`;
  return [
    `${rows.length} more tools`,
    count((row) => row.calls),
    count((row) => row.errors),
    count((row) => row.refused),
    tokens((row) => row.input_tokens),
    tokens((row) => row.output_tokens),
    tokens((row) => row.total_tokens),
    shownShare(sum((row) => row.share)),
    "",
    "",
    "",
    "",
  ];
}
