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
import { formatCount, plural } from "#kit/text/numbers.ts";
import { costNotes, statedErrorColumnsMax, countedBy } from "./documents/cost-notes.ts";
import { conversationNotes, loggedNotes, rentNotes } from "./documents/logs/usage-notes.ts";
import { viewNotes } from "./documents/summary-notes.ts";
import { tokenFormat, type TokenFormat } from "./documents/parts.ts";
import {
  type MeasureColumn,
  toolColumns,
  usageColumns,
  daysText,
  periodText,
  trendSections,
} from "./documents/usage-columns.ts";
import type { RemovedPart } from "#history/reports/totals/removed-usage.ts";
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
      ? [emptyUsageDocument(report)]
      : blocks.map((block) => usageDocument(report, block, page));
  return documents.map((document) => render(format, { document, data: report }, page)).join("\n");
}

type CsvRow = { readonly [name: string]: CsvValue | undefined };

/** The first table of each block; the estimator is the first column, the machine, if known, the last. */
export function renderUsageCsv({ blocks, machine }: UsageReport): string {
  const own = machine === undefined ? {} : { machine };
  const rows = blocks.flatMap(rowsOf).map((row) => ({ ...row, ...("machine" in row ? {} : own) }));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return renderCsv(["estimator", ...[...names].filter((name) => name !== "estimator")], rows);
}

function rowsOf({ estimation, tables }: UsageBlock): CsvRow[] {
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

/** RFC 4180, but lines end with LF. Ends with a newline. */
export function renderCsv(
  header: readonly string[],
  rows: readonly { readonly [name: string]: CsvValue | undefined }[],
): string {
  const lines = rows.map((row) => header.map((name) => csvCell(row[name] ?? null)).join(","));
  return `${[header.join(","), ...lines].join("\n")}\n`;
}

/** A spreadsheet would run it as a formula, so an apostrophe comes first. */
function csvCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = escapeUnsafe(value).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

type LabelColumn = Column & { readonly cellOf: (row: UsageRow) => Cell };

export function labelColumns(by: readonly Axis[]): readonly LabelColumn[] {
  const last = by.at(-1);
  return by.flatMap((axis) => {
    const [first, ...others] = columnsOf(axis, by);
    if (!first || axis !== last) return [...(first ? [first] : []), ...others];
    const cellOf = (row: UsageRow): Cell =>
      row.more === undefined ? first.cellOf(row) : `(${row.more} more)`;
    return [{ ...first, cellOf }, ...others];
  });
}

/** Of two label columns the first matters more; those of a session besides its id may be left out. */
function columnsOf(axis: Axis, by: readonly Axis[]): readonly LabelColumn[] {
  switch (axis) {
    case "day":
      return [{ head: "day", cellOf: ({ day }) => day ?? "" }];
    case "week":
      return [{ head: "week of", cellOf: ({ week }) => week ?? "" }];
    case "month":
      return [{ head: "month", cellOf: ({ month }) => month ?? "" }];
    case "session":
      return sessionColumns(by);
    case "server":
      return [serverColumn];
    case "tool":
      return by.includes("server") || by.includes("session")
        ? [toolColumn]
        : [serverColumn, toolColumn];
    case "model":
      return [{ head: "model", cellOf: ({ model }) => known(model) }];
    case "client":
      return [{ head: "client", cellOf: ({ client }) => known(client) }];
    case "machine":
      return [{ head: "machine", cellOf: ({ machine }) => known(machine) }];
  }
}

const serverColumn: LabelColumn = { head: "server", cellOf: ({ server }) => known(server) };
const toolColumn: LabelColumn = { head: "tool", cellOf: ({ tool }) => known(tool) };

function sessionColumns(by: readonly Axis[]): readonly LabelColumn[] {
  return [
    { head: "session", cellOf: ({ session_id: id }) => known(id) },
    { head: "began", dropRank: 3, cellOf: ({ began_local: began }) => began ?? "" },
    ...(by.includes("server") ? [] : [{ ...serverColumn, dropRank: 12 }]),
    ...(by.includes("client")
      ? []
      : [{ head: "client", dropRank: 4, cellOf: ({ client }: UsageRow) => known(client) }]),
  ];
}

function known(name: string | null | undefined): Cell {
  if (name === undefined) return "";
  return name === null ? "(unknown)" : { name, columnsMax: reportNameColumnsMax };
}

export function emptyUsageDocument(report: UsageReport): Document {
  const removed = removedNotes(report.removed);
  return {
    title: `mcp-meter: no records of ${periodText(report)}`,
    sections: removed.length === 0 ? [] : [{ kind: "notes", notes: removed }],
  };
}

type UsageLook = {
  readonly isWide: boolean;
  readonly isTerminal: boolean;
};

export function usageDocument(
  report: UsageReport,
  block: UsageBlock,
  { isWide, isTerminal }: UsageLook,
): Document {
  const { estimation, tables, totals, trend } = block;
  const format = tokenFormat(estimation?.is_estimated !== false);
  return {
    title: title(report, block),
    sections: [
      ...tables.map((table) => grid(table, totals, { format, isWide })),
      ...(trend ? trendSections(trend, format, isTerminal) : []),
      {
        kind: "notes",
        notes: [
          ...costNotes({ cost: blockCost(report, block), total: totals }),
          ...conversationNotes(report),
          ...notes(report, block, format),
          ...viewNotes(report),
          ...removedNotes(report.removed),
        ],
      },
    ],
  };
}

function blockCost({ cost }: UsageReport, { unpriced }: UsageBlock): CostSummary | undefined {
  return cost && { ...cost, unpriced: unpriced ?? cost.unpriced };
}

function title(report: UsageReport, { estimation }: UsageBlock): readonly Span[] {
  const period = `mcp-meter: ${periodText(report)}`;
  if (report.blocks.length === 1) return [period];
  if (!estimation) return [period, ", counted in an unknown way"];
  return [period, ", counted by ", { name: estimation.estimator }];
}

type Look = { readonly format: TokenFormat; readonly isWide: boolean };

function grid({ by, rows }: UsageTable, totals: Measures, { format, isWide }: Look): Section {
  const labels = labelColumns(by);
  const measures = shownColumns(by, totals, isWide);
  const numbers = (row: Measures): string[] => measures.map((column) => column.textIn(row, format));
  const total = [...labels.map((_, at) => (at === 0 ? "total" : "")), ...numbers(totals)];
  return {
    kind: "grid",
    columns: [...labels, ...measures].map(plainColumn),
    rows: [
      ...rows.map((row): Row => [...labels.map(({ cellOf }) => cellOf(row)), ...numbers(row)]),
      ...(rows.length > 1 ? [total.map((text) => ({ text, tone: "strong" as const }))] : []),
    ],
  };
}

function plainColumn({ head, isNumber, dropRank }: Column): Column {
  return {
    head,
    ...(isNumber === undefined ? {} : { isNumber }),
    ...(dropRank === undefined ? {} : { dropRank }),
  };
}

function shownColumns(
  by: readonly Axis[],
  totals: Measures,
  isWide: boolean,
): readonly MeasureColumn[] {
  const columns = by.includes("tool") ? toolColumns : usageColumns;
  if (isWide) return columns.filter(({ isKnown }) => isKnown?.(totals) !== false);
  const shown = columns.filter(
    (column) => column.isWideOnly !== true && column.numberIn(totals) > 0,
  );
  return by.includes("session") ? shown.filter(({ head }) => head !== "sessions") : shown;
}

function notes(report: UsageReport, block: UsageBlock, { count }: TokenFormat): Note[] {
  const { totals, estimation, tables, trend, projection } = block;
  const { resident_tokens: resident, loaded_tokens: loaded, total_tokens: inCalls } = totals;
  const parts = [
    `${count(resident)} in definitions and instructions`,
    ...(loaded > 0 ? [`${count(loaded)} in loaded definitions`] : []),
    `${count(inCalls)} in calls`,
  ];
  const hasDefinitions = totals.definition_lists > 0;
  const isExplained = hasDefinitions && tables.some(({ by }) => !by.includes("tool"));
  const columns = loaded > 0 ? "listed, in context and loaded" : "listed and in context";
  const text = `${columns} are the tokens of definitions in an average session`;
  return [
    ...(trend ? [{ label: "before", text: daysText(trend.before) }] : []),
    ...(hasDefinitions && tables.length > 0 ? [{ label: "tokens", text: parts.join(", ") }] : []),
    ...loggedNotes(totals),
    ...rentNotes(block, report, count),
    ...(projection ? [projectionNote(projection, count)] : []),
    ...(isExplained ? [{ label: "definitions", text }] : []),
    ...(estimation ? [counting(estimation)] : []),
  ];
}

function projectionNote(
  { days, tokens, low, high }: Projection,
  count: TokenFormat["count"],
): Note {
  const spread = low === high ? "" : `, in nine of ten months ${count(low)} to ${count(high)}`;
  const text = `${count(tokens)} tokens in 30 days${spread}; from ${formatCount(days)} whole days`;
  return { label: "at this rate", text };
}

function counting({
  estimator,
  confidence,
  error,
  is_estimated: isEstimated,
}: SummaryEstimation): Note {
  const how = { id: clip(estimator), confidence, error: clip(error, statedErrorColumnsMax) };
  return countedBy(how, isEstimated);
}

function removedNotes(removed: RemovedPart | undefined): readonly Note[] {
  if (!removed) return [];
  const { first, sessions, days_left_out: daysLeftOut } = removed;
  const begun = `${plural(sessions, "session")}, each counted where it began`;
  const counted = `from daily totals of removed records: ${daysText(removed)}, ${begun}`;
  const days = plural(daysLeftOut, "day");
  const leftOut = `without ${days} of removed records, which have no sessions and no times of the day`;
  return [
    ...(first === null ? [] : [{ label: "removed", text: counted }]),
    ...(daysLeftOut === 0 ? [] : [{ label: "removed", text: leftOut }]),
  ];
}
