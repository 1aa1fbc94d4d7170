import type { Summary, ToolRow, TotalRow } from "#records/summary.ts";
import {
  type Document,
  type Span,
  emphasizeRow,
  type Column,
  type Row,
  type Section,
  type Text,
} from "../document.ts";
import { listNames, formatRiskCell, labelTool, summaryRowsMax } from "./shared-texts.ts";
import { makeTokenFormat, type TokenFormat } from "../token-ranges.ts";
import { listSummaryNotes, serversNamedMax } from "./summary-notes.ts";
import { addCosts } from "#records/money/price-book.ts";
import {
  addUp,
  formatDollarRange,
  formatCount,
  formatSignificant,
  formatShare,
  pluralize,
} from "#kit/text/numbers.ts";

export function buildSummaryDocument(summary: Summary, isOneOfSeveral = false): Document {
  const format = makeTokenFormat(summary.estimation?.is_estimated !== false);
  return {
    title: isOneOfSeveral
      ? [...describeSessions(summary), ...describeEstimator(summary)]
      : describeSessions(summary),
    sections: [
      buildSummaryGrid(summary, format),
      { kind: "notes", notes: listSummaryNotes(summary, format) },
    ],
  };
}

function describeSessions({ servers, clients, sessions }: Summary): readonly Span[] {
  return [
    "mcp-meter: ",
    ...listFirstNames(servers),
    ...(clients.length > 0 ? [" for ", ...listFirstNames(clients)] : []),
    ...(sessions === 1 ? [] : [`, ${sessions} sessions`]),
  ];
}

function describeEstimator({ estimation }: Summary): readonly Span[] {
  if (!estimation) return [", counted by an unknown estimator"];
  return [", counted by ", { name: estimation.estimator }];
}

function listFirstNames(names: readonly string[]): readonly Span[] {
  return listNames(
    names.map((name) => ({ name })),
    serversNamedMax,
  );
}

const numberHeads = [
  "calls",
  "errors",
  "refused",
  "args",
  "result",
  "in calls",
  "call share",
  "avg",
  "max",
  "p95 ms",
];

const dropRanks: Readonly<Record<string, number>> = {
  "p95 ms": 1,
  withheld: 2,
  avg: 3,
  wire: 5,
  "call share": 6,
  args: 7,
  max: 8,
};

const shorteningAlerts: ReadonlySet<string> = new Set(["would_truncate", "would_spill"]);

function buildColumns({ hasWire, hasWithheld, hasCost }: RowOptions): readonly Column[] {
  const heads = numberHeads.flatMap((head) => {
    if (head === "refused" && hasWithheld) return [head, "withheld"];
    if (head === "result" && hasWire) return [head, "wire"];
    return head === "call share" && hasCost ? [head, "cost"] : [head];
  });
  const columns = heads.map((head): Column => {
    const dropRank = dropRanks[head];
    return { head, isNumber: true, ...(dropRank === undefined ? {} : { dropRank }) };
  });
  return [{ head: "tool" }, ...columns, { head: "risk", dropRank: 4 }];
}

export function buildSummaryGrid(summary: Summary, format: TokenFormat): Section {
  const { total } = summary;
  const options: RowOptions = {
    format,
    hasWire: summary.alerts.some(({ alert }) => shorteningAlerts.has(alert)),
    hasWithheld: total.withheld > 0,
    hasCost: summary.cost !== undefined,
  };
  const columns = buildColumns(options);
  if (total.calls === 0) return { kind: "grid", columns, rows: [] };
  const rows = summary.tools.slice(0, summaryRowsMax).map((row) => {
    const name = labelTool(row.tool, row.server, summary.servers);
    return formatCells({ name }, row, row.share, options);
  });
  const remainingTools = summary.tools.slice(summaryRowsMax);
  return {
    kind: "grid",
    columns,
    rows: [
      ...rows,
      ...(remainingTools.length > 0 ? [formatRestCells(remainingTools, options)] : []),
      emphasizeRow(formatCells("total", total, 1, options)),
    ],
  };
}

type RowOptions = {
  readonly format: TokenFormat;
  readonly hasWire: boolean;
  readonly hasWithheld: boolean;
  readonly hasCost: boolean;
};

function formatCells(name: Text, row: TotalRow, share: number, options: RowOptions): Row {
  const { count } = options.format;
  return [
    ...formatSumCells(name, [row], share, options),
    count(row.average_tokens),
    count(row.max_tokens),
    formatSignificant(row.p95_ms),
    formatRiskCell(row.risk),
  ];
}

function formatRestCells(rows: readonly ToolRow[], options: RowOptions): Row {
  const share = addUp(rows.map((row) => row.share));
  const name = pluralize(rows.length, "more tool");
  return [...formatSumCells(name, rows, share, options), "", "", "", ""];
}

function formatSumCells(
  name: Text,
  rows: readonly TotalRow[],
  share: number,
  { format: { count, range }, hasWire, hasWithheld, hasCost }: RowOptions,
): Row {
  const sum = (read: (row: TotalRow) => number): number => addUp(rows.map(read));
  const totalTokens = sum((row) => row.total_tokens);
  const mostTokens = sum((row) => row.most_tokens ?? row.total_tokens);
  return [
    name,
    formatCount(sum((row) => row.calls)),
    formatCount(sum((row) => row.errors)),
    formatCount(sum((row) => row.refused)),
    ...(hasWithheld ? [formatCount(sum((row) => row.withheld))] : []),
    count(sum((row) => row.input_tokens)),
    count(sum((row) => row.output_tokens)),
    ...(hasWire ? [count(sum((row) => row.wire_tokens))] : []),
    range(totalTokens, mostTokens),
    formatShare(share),
    ...(hasCost ? [formatCost(rows)] : []),
  ];
}

function formatCost(rows: readonly TotalRow[]): string {
  const costs = rows.flatMap(({ cost_usd: cost }) => cost ?? []);
  return costs.length === 0 ? "" : formatDollarRange(costs.reduce(addCosts));
}
