import { summaryRowsMax } from "../../limits.ts";
import { addCosts, type CostRange } from "#records/money/call-cost.ts";
import type { Summary, ToolRow, TotalRow } from "#records/summary.ts";
import { formatDollarRange } from "#kit/text/dollars.ts";
import { formatCount, formatMilliseconds, formatShare, plural } from "#kit/text/numbers.ts";
import { textIn, type Cell, type Column, type Row, type Section, type Text } from "../document.ts";
import { riskCell, toolLabel } from "./parts.ts";
import type { TokenFormat } from "./token-format.ts";

const numbers = [
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
];

const shortened: ReadonlySet<string> = new Set(["would_truncate", "would_spill"]);

function columnsFor({ hasWire, hasCost }: Omit<Shape, "format">): readonly Column[] {
  const heads = numbers.flatMap((head) => {
    if (head === "result" && hasWire) return [head, "wire"];
    return head === "share" && hasCost ? [head, "cost"] : [head];
  });
  return [{ head: "tool" }, ...heads.map((head) => ({ head, isNumber: true })), { head: "risk" }];
}

export function summaryGrid(summary: Summary, format: TokenFormat): Section {
  const { total: sums } = summary;
  const hasWire = summary.alerts.some(({ alert }) => shortened.has(alert));
  const hasCost = summary.cost !== undefined;
  const columns = columnsFor({ hasWire, hasCost });
  const shape = { format, hasWire, hasCost };
  if (sums.calls === 0) return { kind: "grid", columns, rows: [] };
  const rows = summary.tools.slice(0, summaryRowsMax).map((row) => {
    const name = toolLabel(row.tool, row.server, summary.servers);
    return cells({ name }, row, row.share, shape);
  });
  const rest = summary.tools.slice(summaryRowsMax);
  const total = cells("total", sums, 1, shape);
  return {
    kind: "grid",
    columns,
    rows: [
      ...rows,
      ...(rest.length > 0 ? [restCells(rest, shape)] : []),
      total.map((cell) => ({ text: textIn(cell), tone: "strong" as const })),
    ],
  };
}

type Shape = {
  readonly format: TokenFormat;
  readonly hasWire: boolean;
  readonly hasCost: boolean;
};

function cells(name: Text, row: TotalRow, share: number, shape: Shape): readonly Cell[] {
  const { count, range } = shape.format;
  return [
    name,
    formatCount(row.calls),
    formatCount(row.errors),
    formatCount(row.refused),
    count(row.input_tokens),
    count(row.output_tokens),
    ...(shape.hasWire ? [count(row.wire_tokens)] : []),
    range(row.total_tokens, row.most_tokens),
    formatShare(share),
    ...(shape.hasCost ? [costText(row.cost_usd)] : []),
    count(row.average_tokens),
    count(row.max_tokens),
    formatMilliseconds(row.p95_ms),
    riskCell(row.risk),
  ];
}

/** Averages and maxima stay empty. */
function restCells(rows: readonly ToolRow[], shape: Shape): Row {
  const { hasWire, hasCost } = shape;
  const { count } = shape.format;
  const sum = (pick: (row: ToolRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  return [
    plural(rows.length, "more tool"),
    formatCount(sum((row) => row.calls)),
    formatCount(sum((row) => row.errors)),
    formatCount(sum((row) => row.refused)),
    count(sum((row) => row.input_tokens)),
    count(sum((row) => row.output_tokens)),
    ...(hasWire ? [count(sum((row) => row.wire_tokens))] : []),
    count(sum((row) => row.total_tokens)),
    formatShare(sum((row) => row.share)),
    ...(hasCost ? [costText(costOf(rows))] : []),
    "",
    "",
    "",
    "",
  ];
}

function costText(cost: CostRange | null | undefined): string {
  return cost ? formatDollarRange(cost) : "";
}

function costOf(rows: readonly ToolRow[]): CostRange | undefined {
  const costs = rows.flatMap(({ cost_usd: cost }) => (cost ? [cost] : []));
  return costs.length === 0 ? undefined : costs.reduce(addCosts);
}
