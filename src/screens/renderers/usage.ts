import type {
  UsageReport,
  UsageBlock,
  Axis,
  Measures,
  UsageTable,
  UsageRow,
} from "#history/reports/usage-report.ts";
import type { ReportFormat } from "./formats.ts";
import { render } from "./index.ts";
import {
  renderJson,
  type Column,
  type Document,
  type Note,
  type Row,
  type Section,
  type Span,
  type Cell,
} from "./document.ts";
import type { TerminalOptions } from "./terminal.ts";
import { escapeUnsafe, clip } from "#kit/text/unsafe-text.ts";
import type { CostSummary, SummaryEstimation } from "#records/summary.ts";
import type { Projection } from "#history/reports/projection.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { listCostNotes, statedErrorColumnsMax, makeEstimatorNote } from "./documents/cost-notes.ts";
import {
  listConversationNotes,
  listLoggedNotes,
  listRentNotes,
} from "./documents/logs/usage-notes.ts";
import { listViewNotes } from "./documents/summary-notes.ts";
import { makeTokenFormat, type TokenFormat } from "./documents/parts.ts";
import {
  type MeasureColumn,
  toolColumns,
  usageColumns,
  describeDays,
  periodText,
  buildTrendSections,
} from "./documents/usage-columns.ts";
import type { RemovedSummary } from "#history/reports/totals/removed-usage.ts";
import { reportNameColumnsMax } from "#kit/limits.ts";

export type UsagePage = TerminalOptions & {
  readonly isWide: boolean;
  readonly isTerminal: boolean;
};

export function renderUsage(format: ReportFormat, report: UsageReport, page: UsagePage): string {
  if (format === "json") return renderJson(report);
  if (format === "csv") return renderUsageCsv(report);
  const { blocks } = report;
  const documents =
    blocks.length === 0
      ? [buildEmptyDocument(report)]
      : blocks.map((block) => buildUsageDocument(report, block, page));
  return documents.map((document) => render(format, { document, data: report }, page)).join("\n");
}

type CsvRow = { readonly [name: string]: CsvValue | undefined };

export function renderUsageCsv({ blocks, machine }: UsageReport): string {
  const machineCell = machine === undefined ? {} : { machine };
  const rows = blocks
    .flatMap(listCsvRows)
    .map((row) => ({ ...row, ...("machine" in row ? {} : machineCell) }));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return renderCsv(["estimator", ...[...names].filter((name) => name !== "estimator")], rows);
}

function listCsvRows({ estimation, tables }: UsageBlock): CsvRow[] {
  const [table] = tables;
  if (!table) return [];
  const estimator = estimation?.estimator ?? null;
  const last = table.by.at(-1) ?? "";
  const lastMember = last === "session" ? "session_id" : last;
  return table.rows.map(({ more, cost_usd: cost, ...row }) => ({
    estimator,
    ...row,
    ...(cost === undefined
      ? {}
      : { cost_low_usd: cost?.low ?? null, cost_high_usd: cost?.high ?? null }),
    ...(more === undefined ? {} : { [lastMember]: `(${more} more)` }),
  }));
}

type CsvValue = string | number | null;

// RFC 4180, but with LF line ends.
function renderCsv(
  header: readonly string[],
  rows: readonly { readonly [name: string]: CsvValue | undefined }[],
): string {
  const lines = rows.map((row) => header.map((name) => formatCsvCell(row[name] ?? null)).join(","));
  return `${[header.join(","), ...lines].join("\n")}\n`;
}

// The apostrophe keeps a spreadsheet from evaluating the text as a formula.
function formatCsvCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = escapeUnsafe(value).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

type LabelColumn = Column & { readonly formatCell: (row: UsageRow) => Cell };

function buildLabelColumns(by: readonly Axis[]): readonly LabelColumn[] {
  const last = by.at(-1);
  return by.flatMap((axis) => {
    const [first, ...moreColumns] = buildAxisColumns(axis, by);
    if (!first || axis !== last) return [...(first ? [first] : []), ...moreColumns];
    const formatCell = (row: UsageRow): Cell =>
      row.more === undefined ? first.formatCell(row) : `(${row.more} more)`;
    return [{ ...first, formatCell }, ...moreColumns];
  });
}

function buildAxisColumns(axis: Axis, by: readonly Axis[]): readonly LabelColumn[] {
  switch (axis) {
    case "day":
      return [{ head: "day", formatCell: ({ day }) => day ?? "" }];
    case "week":
      return [{ head: "week of", formatCell: ({ week }) => week ?? "" }];
    case "month":
      return [{ head: "month", formatCell: ({ month }) => month ?? "" }];
    case "session":
      return buildSessionColumns(by);
    case "server":
      return [serverColumn];
    case "tool":
      return by.includes("server") || by.includes("session")
        ? [toolColumn]
        : [serverColumn, toolColumn];
    case "model":
      return [{ head: "model", formatCell: ({ model }) => formatName(model) }];
    case "client":
      return [{ head: "client", formatCell: ({ client }) => formatName(client) }];
    case "machine":
      return [{ head: "machine", formatCell: ({ machine }) => formatName(machine) }];
  }
}

const serverColumn: LabelColumn = {
  head: "server",
  formatCell: ({ server }) => formatName(server),
};
const toolColumn: LabelColumn = { head: "tool", formatCell: ({ tool }) => formatName(tool) };

function buildSessionColumns(by: readonly Axis[]): readonly LabelColumn[] {
  return [
    { head: "session", formatCell: ({ session_id: id }) => formatName(id) },
    { head: "began", dropRank: 3, formatCell: ({ began_local: began }) => began ?? "" },
    ...(by.includes("server") ? [] : [{ ...serverColumn, dropRank: 12 }]),
    ...(by.includes("client")
      ? []
      : [
          { head: "client", dropRank: 4, formatCell: ({ client }: UsageRow) => formatName(client) },
        ]),
  ];
}

function formatName(name: string | null | undefined): Cell {
  if (name === undefined) return "";
  return name === null ? "(unknown)" : { name, columnsMax: reportNameColumnsMax };
}

export function buildEmptyDocument(report: UsageReport): Document {
  const removed = listRemovedNotes(report.removed);
  return {
    title: `mcp-meter: no records for ${periodText(report)}`,
    sections: removed.length === 0 ? [] : [{ kind: "notes", notes: removed }],
  };
}

type UsageDocumentOptions = {
  readonly isWide: boolean;
  readonly isTerminal: boolean;
};

export function buildUsageDocument(
  report: UsageReport,
  block: UsageBlock,
  { isWide, isTerminal }: UsageDocumentOptions,
): Document {
  const { estimation, tables, totals, trend } = block;
  const format = makeTokenFormat(estimation?.is_estimated !== false);
  return {
    title: describeBlock(report, block),
    sections: [
      ...tables.map((table) => buildGrid(table, totals, { format, isWide })),
      ...(trend ? buildTrendSections(trend, format, isTerminal) : []),
      {
        kind: "notes",
        notes: [
          ...listCostNotes({ cost: findBlockCost(report, block), total: totals }),
          ...listConversationNotes(report),
          ...listNotes(report, block, format),
          ...listViewNotes(report),
          ...listRemovedNotes(report.removed),
        ],
      },
    ],
  };
}

function findBlockCost({ cost }: UsageReport, { unpriced }: UsageBlock): CostSummary | undefined {
  return cost && { ...cost, unpriced: unpriced ?? cost.unpriced };
}

function describeBlock(report: UsageReport, { estimation }: UsageBlock): readonly Span[] {
  const period = `mcp-meter: ${periodText(report)}`;
  if (report.blocks.length === 1) return [period];
  if (!estimation) return [period, ", counted by an unknown estimator"];
  return [period, ", counted by ", { name: estimation.estimator }];
}

type GridOptions = { readonly format: TokenFormat; readonly isWide: boolean };

function buildGrid(
  { by, rows }: UsageTable,
  totals: Measures,
  { format, isWide }: GridOptions,
): Section {
  const labels = buildLabelColumns(by);
  const measures = selectColumns(by, totals, isWide);
  const formatNumbers = (row: Measures): string[] =>
    measures.map((column) => column.formatText(row, format));
  const total = [
    ...labels.map((_, index) => (index === 0 ? "total" : "")),
    ...formatNumbers(totals),
  ];
  return {
    kind: "grid",
    columns: [...labels, ...measures].map(toPlainColumn),
    rows: [
      ...rows.map((row): Row => [
        ...labels.map(({ formatCell }) => formatCell(row)),
        ...formatNumbers(row),
      ]),
      ...(rows.length > 1 ? [total.map((text) => ({ text, tone: "strong" as const }))] : []),
    ],
  };
}

function toPlainColumn({ head, isNumber, dropRank }: Column): Column {
  return {
    head,
    ...(isNumber === undefined ? {} : { isNumber }),
    ...(dropRank === undefined ? {} : { dropRank }),
  };
}

function selectColumns(
  by: readonly Axis[],
  totals: Measures,
  isWide: boolean,
): readonly MeasureColumn[] {
  const columns = by.includes("tool") ? toolColumns : usageColumns;
  if (isWide) return columns.filter(({ isKnown }) => isKnown?.(totals) !== false);
  const shown = columns.filter(
    (column) => column.isWideOnly !== true && column.readNumber(totals) > 0,
  );
  return by.includes("session") ? shown.filter(({ head }) => head !== "sessions") : shown;
}

function listNotes(report: UsageReport, block: UsageBlock, { count }: TokenFormat): Note[] {
  const { totals, estimation, tables, trend, projection } = block;
  const { resident_tokens: resident, loaded_tokens: loaded, total_tokens: inCalls } = totals;
  const tokenTexts = [
    `${count(resident)} in definitions and instructions`,
    ...(loaded > 0 ? [`${count(loaded)} in loaded definitions`] : []),
    `${count(inCalls)} in calls`,
  ];
  const hasDefinitions = totals.definition_lists > 0;
  const isExplained = hasDefinitions && tables.some(({ by }) => !by.includes("tool"));
  const columns = loaded > 0 ? "listed, in context and loaded" : "listed and in context";
  const text = `${columns} are the definition tokens of an average session`;
  return [
    ...(trend ? [{ label: "before", text: describeDays(trend.before) }] : []),
    ...(hasDefinitions && tables.length > 0
      ? [{ label: "tokens", text: tokenTexts.join(", ") }]
      : []),
    ...listLoggedNotes(totals),
    ...listRentNotes(block, report, count),
    ...(projection ? [makeProjectionNote(projection, count)] : []),
    ...(isExplained ? [{ label: "definitions", text }] : []),
    ...(estimation ? [makeCountingNote(estimation)] : []),
  ];
}

function makeProjectionNote(
  { days, tokens, low, high }: Projection,
  count: TokenFormat["count"],
): Note {
  const spread = low === high ? "" : `, in 9 of 10 months ${count(low)} to ${count(high)}`;
  const text = `${count(tokens)} tokens in 30 days${spread}; based on ${pluralize(days, "whole day")}`;
  return { label: "at this rate", text };
}

function makeCountingNote({
  estimator,
  confidence,
  error,
  is_estimated: isEstimated,
}: SummaryEstimation): Note {
  const estimate = { id: clip(estimator), confidence, error: clip(error, statedErrorColumnsMax) };
  return makeEstimatorNote(estimate, isEstimated);
}

function listRemovedNotes(removed: RemovedSummary | undefined): readonly Note[] {
  if (!removed) return [];
  const { first, sessions, days_left_out: daysLeftOut } = removed;
  const begun = `${pluralize(sessions, "session")}, each counted on the day it began`;
  const counted = `from daily totals of removed records: ${describeDays(removed)}, ${begun}`;
  const days = pluralize(daysLeftOut, "day");
  const leftOut = `without ${days} of removed records, whose totals have no sessions or times`;
  return [
    ...(first === null ? [] : [{ label: "removed", text: counted }]),
    ...(daysLeftOut === 0 ? [] : [{ label: "removed", text: leftOut }]),
  ];
}
