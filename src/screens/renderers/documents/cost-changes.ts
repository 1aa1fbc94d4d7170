import { driftRowsMax } from "../../limits.ts";
import type { CostChange, LockComparison } from "#lock/lock-comparison.ts";
import { formatCount, formatShare } from "#kit/text/numbers.ts";
import type { Column, Row, Section } from "../document.ts";
import { omittedLine } from "./parts.ts";

const columns: readonly Column[] = [
  { head: "tool" },
  ...["before", "after", "change"].map((head) => ({ head, isNumber: true })),
];

export function costSections(comparison: LockComparison): readonly Section[] {
  const { costs, total_tokens: tokens } = comparison;
  if (costs.length === 0) return [];
  const all: Row = [{ text: "all definitions", tone: "strong" }, ...changeCells(tokens)];
  const rows = costs.slice(0, driftRowsMax).map(costRow);
  return [
    { kind: "grid", columns, rows: [...rows, all] },
    ...omittedLine(costs.length, driftRowsMax, "changed definition"),
  ];
}

function costRow({ tool, ...change }: CostChange): Row {
  return [tool === null ? "(instructions)" : { name: tool }, ...changeCells(change)];
}

function changeCells({ before, after }: Pick<CostChange, "before" | "after">): readonly string[] {
  return [tokenCell(before), tokenCell(after), changeText({ before, after })];
}

function tokenCell(tokens: number | null): string {
  return tokens === null ? "" : formatCount(tokens);
}

function changeText({ before, after }: Pick<CostChange, "before" | "after">): string {
  if (before === null) return "new";
  if (after === null) return "removed";
  const tokens = after - before;
  if (tokens === 0) return "0";
  const sign = tokens > 0 ? "+" : "-";
  const share = before === 0 ? "" : ` (${sign}${formatShare(Math.abs(tokens) / before)})`;
  return `${sign}${formatCount(Math.abs(tokens))}${share}`;
}
