import { selectColumns, shortIdLengthMax, buildTrendSections } from "./usage-columns.ts";
import { findCommonLength } from "#kit/text/difference.ts";
import type {
  UsageReport,
  Axis,
  Measures,
  UsageTable,
  UsageTrend,
  UsageRow,
  RemovedSummary,
} from "#history/reports/usage-report.ts";
import {
  type Column,
  type Document,
  type Note,
  type Row,
  type Section,
  type Cell,
  emphasizeRow,
  makeReportName,
} from "../document.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import { formatElapsed } from "#kit/text/durations.ts";
import { listCostNotes } from "./cost-notes.ts";
import {
  listConversationNotes,
  listLoggedNotes,
  listRefusedNotes,
  listRepeatNotes,
  listRentNotes,
  listToolListNotes,
} from "./usage-notes.ts";
import { listViewNotes } from "./summary-notes.ts";
import { describeDays, describeTokenParts, formatPeriod, noteIf } from "./shared-texts.ts";
import { confidenceDots, listCountingNotes } from "./estimator-notes.ts";
import { makeTokenFormat, type TokenFormat } from "../token-ranges.ts";

type LabelColumn = Column & { readonly formatCell: (row: UsageRow) => Cell };

function buildLabelColumns(by: readonly Axis[], idLength: number): readonly LabelColumn[] {
  const lastAxis = by.at(-1);
  return by.flatMap((axis) => {
    const columns = buildAxisColumns(axis, by, idLength);
    if (axis !== lastAxis) return columns;
    return columns.map((column, index) => (index === 0 ? labelOmittedRows(column) : column));
  });
}

function labelOmittedRows(column: LabelColumn): LabelColumn {
  const formatCell = (row: UsageRow): Cell =>
    row.more === undefined ? column.formatCell(row) : `(${formatCount(row.more)} more)`;
  return { ...column, formatCell };
}

function buildAxisColumns(
  axis: Axis,
  by: readonly Axis[],
  idLength: number,
): readonly LabelColumn[] {
  switch (axis) {
    case "week":
      return [{ head: "week of", formatCell: ({ week }) => week ?? "" }];
    case "confidence":
      return [{ head: "confidence", formatCell: formatConfidence }];
    case "session":
      return buildSessionColumns(by, idLength);
    case "server":
      return [serverColumn];
    case "tool":
      return by.includes("server") || by.includes("session")
        ? [toolColumn]
        : [serverColumn, toolColumn];
    default:
      return [{ head: axis, formatCell: (row) => formatName(row[axis]) }];
  }
}

function formatConfidence({ confidence }: UsageRow): Cell {
  return confidence ? `${confidenceDots[confidence]} ${confidence}` : "(unknown)";
}

const serverColumn: LabelColumn = {
  head: "server",
  formatCell: ({ server }) => formatName(server),
};
const toolColumn: LabelColumn = { head: "tool", formatCell: ({ tool }) => formatName(tool) };
const clientColumn: LabelColumn = {
  head: "client",
  formatCell: ({ client }) => formatName(client),
};

function buildSessionColumns(by: readonly Axis[], idLength: number): readonly LabelColumn[] {
  return [
    { head: "began", formatCell: ({ began_local: began }) => began ?? "" },
    {
      head: "lasted",
      dropRank: 15,
      formatCell: ({ duration_ms: ms }) => (ms === undefined ? "" : formatElapsed(ms)),
    },
    ...(by.includes("server") ? [] : [{ ...serverColumn, dropRank: 17 }]),
    ...(by.includes("client") ? [] : [{ ...clientColumn, dropRank: 16 }]),
    {
      head: "session",
      dropRank: idLength <= shortIdLengthMax ? 12 : 0,
      isFixedWidth: true,
      formatCell: ({ session_id: id }) => formatName(id?.slice(0, idLength)),
    },
  ];
}

const fullIdTerminalColumnsMin = 120;

const idLengthMin = 8;

// On a narrow terminal, ids are cut to a length at which all differ: commands accept the beginning of an id.
function findIdLength(rows: readonly UsageRow[], terminalColumns = Infinity): number {
  if (terminalColumns >= fullIdTerminalColumnsMin) return Infinity;
  const ids = [...new Set(rows.flatMap(({ session_id: id }) => id ?? []))].toSorted();
  const commonLengths = ids.map((id, index) => findCommonLength(id, ids[index + 1] ?? ""));
  return Math.max(idLengthMin, ...commonLengths.map((length) => length + 1));
}

function formatName(name: string | null | undefined): Cell {
  if (name === undefined) return "";
  return name === null ? "(unknown)" : makeReportName(name);
}

export function buildEmptyDocument(report: UsageReport): Document {
  return {
    title: `mcp-meter: no records for ${formatPeriod(report)}`,
    sections: [{ kind: "notes", notes: listRemovedNotes(report.removed) }],
  };
}

export type UsageDocumentOptions = {
  /** The width of the terminal. */
  readonly columns?: number | undefined;
  readonly isWide: boolean;
  readonly isTerminal: boolean;
  readonly showsResent?: boolean;
  /** Notes about unknown or assumed models recommend this option or command. */
  readonly modelOption?: string;
};

export function buildUsageDocument(
  report: UsageReport,
  { columns: terminalColumns, isWide, isTerminal, ...options }: UsageDocumentOptions,
): Document {
  const { showsResent = false, modelOption } = options;
  const { estimation, tables, totals, trend } = report.sum;
  const format = makeTokenFormat(estimation?.is_estimated !== false);
  const gridOptions = { format, terminalColumns, isWide, showsResent };
  return {
    title: `mcp-meter: ${formatPeriod(report)}`,
    sections: [
      ...tables.map((table) => buildGrid(table, totals, gridOptions)),
      ...(trend ? buildTrendSections(trend, format, isTerminal) : []),
      {
        kind: "notes",
        notes: [
          ...listCostNotes({ cost: report.cost, total: totals, modelOption }),
          ...listConversationNotes(report),
          ...listNotes(report, format),
          ...(showsResent ? listRentNotes(report.sum, report, format.count) : []),
          ...listViewNotes(report),
          ...listRemovedNotes(report.removed),
        ],
      },
    ],
  };
}

type GridOptions = Pick<UsageDocumentOptions, "isWide" | "showsResent"> & {
  readonly format: TokenFormat;
  readonly terminalColumns?: number | undefined;
  readonly hasTotal?: boolean;
};

export function buildGrid(
  { by, rows }: UsageTable,
  totals: Measures,
  { format, terminalColumns, isWide, showsResent = false, hasTotal = true }: GridOptions,
): Section {
  const idLength = findIdLength(rows, isWide ? Infinity : terminalColumns);
  const labels = buildLabelColumns(by, idLength);
  const measures = selectColumns(by, totals, { isWide, showsResent, idLength });
  const formatNumbers = (row: Measures): string[] =>
    measures.map((column) => column.formatText(row, format));
  const total = [
    ...labels.map((_, index) => (index === 0 ? "total" : "")),
    ...formatNumbers(totals),
  ];
  return {
    kind: "grid",
    columns: [...labels, ...measures],
    rows: [
      ...rows.map((row): Row => [
        ...labels.map(({ formatCell }) => formatCell(row)),
        ...formatNumbers(row),
      ]),
      ...(hasTotal && rows.length > 1 ? [emphasizeRow(total)] : []),
    ],
  };
}

function listNotes(report: UsageReport, format: TokenFormat): Note[] {
  const { count } = format;
  const { totals, tables, trend } = report.sum;
  const tokenParts = describeTokenParts(totals, count(totals.total_tokens), format);
  const hasTables = tables.length > 0;
  const hasDefinitions = totals.definition_lists > 0;
  return [
    ...(trend ? listTrendNotes(trend, totals, count) : []),
    ...tables.flatMap(listAxisNotes),
    ...noteIf(hasTables && hasDefinitions, "tokens", tokenParts),
    ...listRefusedNotes(totals),
    ...(hasTables ? listRepeatNotes(totals, format) : []),
    ...(hasTables ? listToolListNotes(totals, format) : []),
    ...listLoggedNotes(totals),
    ...(totals.imported_calls === undefined ? [] : [sessionsNote]),
    ...listCountingNotes(report.sum.counted_by),
  ];
}

const sessionsNote: Note = {
  label: "sessions",
  text: 'this report counts each server of a conversation as one session; "mcp-meter import" counts each conversation once, even if it has no MCP calls',
};

function listTrendNotes(
  { before, definitions: { lists_left_out: lists } }: UsageTrend,
  totals: Measures,
  count: TokenFormat["count"],
): readonly Note[] {
  const leftOutText = `left out ${pluralize(lists, "tool list")} counted by another estimator: sizes from different estimators cannot be compared`;
  return [
    { label: "before", text: describeDays(before) },
    { label: "trend", text: describeTrend(totals, count) },
    ...noteIf(lists > 0, "definitions", leftOutText),
  ];
}

function describeTrend(
  { refused, refused_tokens: tokens, cancelled }: Measures,
  count: TokenFormat["count"],
): string {
  const refusedTokens = `${count(tokens)} tokens of ${pluralize(refused, "refused call")}`;
  const calls = pluralize(cancelled, "cancelled call");
  return [
    "tokens of calls, not of definitions",
    refused > 0 ? `; ${refusedTokens} are left out` : "",
    cancelled > 0 ? `; the tokens per call leave out ${calls}` : "",
  ].join("");
}

const unknownNotes = {
  project:
    "metered calls, and calls from logs that name no folder; other projects show as hashes until you run mcp-meter import --names",
  agent: "metered calls: the agent is known only from logs that mcp-meter import reads",
};

function listAxisNotes({ by, rows }: UsageTable): readonly Note[] {
  return by.flatMap((axis) => {
    if (axis === "hour") {
      return [{ label: "hour", text: "each hour of the day, added up over all days" }];
    }
    if (axis !== "project" && axis !== "agent") return [];
    const hasUnknown = rows.some((row) => row[axis] === null);
    return noteIf(hasUnknown, "(unknown)", unknownNotes[axis]);
  });
}

export function listRemovedNotes(removed: RemovedSummary | undefined): readonly Note[] {
  if (!removed) return [];
  const { first, sessions, days_left_out: daysLeftOut } = removed;
  const each = sessions === 1 ? "" : "each ";
  const sessionsText = `${pluralize(sessions, "session")}, ${each}counted on the day it began`;
  const counted = `includes the daily totals of removed records: ${describeDays(removed)}, ${sessionsText}`;
  const days = pluralize(daysLeftOut, "day");
  const leftOut = `left out the daily totals of ${days} whose records were removed: these totals cannot be split by session, time or confidence`;
  return [
    ...noteIf(first !== null, "removed", counted),
    ...noteIf(daysLeftOut > 0, "removed", leftOut),
  ];
}
