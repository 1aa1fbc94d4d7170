import {
  hasUnknownDefinitions,
  type Measures,
  type DefinitionSide,
  type DefinitionTrend,
  type DefinitionTrendRow,
  type TrendRow,
  type TrendSide,
  type UsageTrend,
  type Axis,
} from "#history/reports/usage-report.ts";
import {
  formatChange,
  formatDollarRange,
  formatCount,
  formatSmallShare,
} from "#kit/text/numbers.ts";
import {
  makeReportName,
  type Column,
  type Cell,
  emphasizeRow,
  type Row,
  type Section,
} from "../document.ts";
import { noteMoreRows } from "./shared-texts.ts";
import type { TokenFormat } from "../token-ranges.ts";

export type MeasureColumn = Column & {
  readonly readNumber: (measures: Measures) => number;
  readonly formatText: (measures: Measures, format: TokenFormat) => string;
  readonly isWideOnly?: boolean;
  readonly isResentOnly?: boolean;
  /** Returns false if the report's records lack this number. */
  readonly isKnown?: (totals: Measures) => boolean;
};

function makeCountColumn(
  head: string,
  dropRank: number,
  readNumber: MeasureColumn["readNumber"],
): MeasureColumn {
  const formatText: MeasureColumn["formatText"] = (row) => formatCount(readNumber(row));
  return { head, isNumber: true, dropRank, readNumber, formatText };
}

function makeTokenColumn(
  head: string,
  dropRank: number,
  readNumber: MeasureColumn["readNumber"],
): MeasureColumn {
  const formatText: MeasureColumn["formatText"] = (row, { count }) => count(readNumber(row));
  return { head, isNumber: true, dropRank, readNumber, formatText };
}

function showOnlyIfWide(column: MeasureColumn): MeasureColumn {
  return { ...column, isWideOnly: true };
}

const noNumber = "–";

function hideUnknownDefinitions(column: MeasureColumn): MeasureColumn {
  return {
    ...column,
    formatText: (row, format) =>
      hasUnknownDefinitions(row) ? noNumber : column.formatText(row, format),
  };
}

function divideByLists(tokens: number, { definition_lists: lists }: Measures): number {
  return lists === 0 ? 0 : tokens / lists;
}

const definitionColumns = [
  ...[
    makeTokenColumn("listed per session", 4, (row) => divideByLists(row.listed_tokens, row)),
    makeTokenColumn("in context per session", 4, (row) => divideByLists(row.resident_tokens, row)),
  ].map(showOnlyIfWide),
  makeTokenColumn("definitions", 10, (row) => row.resident_tokens + row.loaded_tokens),
].map(hideUnknownDefinitions);

const callColumns: readonly MeasureColumn[] = [
  makeCountColumn("calls", 12, (row) => row.calls),
  makeCountColumn("errors", 11, (row) => row.errors),
  makeCountColumn("refused", 7, (row) => row.refused),
  makeCountColumn("withheld", 5, (row) => row.withheld),
  ...[
    makeCountColumn("cancelled", 1, (row) => row.cancelled),
    makeCountColumn("abandoned", 1, (row) => row.abandoned),
  ].map(showOnlyIfWide),
  makeCountColumn("repeats", 8, (row) => row.repeated_calls),
  ...[
    makeTokenColumn("args", 2, (row) => row.input_tokens),
    makeTokenColumn("result", 2, (row) => row.output_tokens),
    makeTokenColumn("wire", 1, (row) => row.wire_tokens),
    makeTokenColumn("duplicate", 1, (row) => row.duplicate_tokens),
    makeTokenColumn("max", 3, (row) => row.max_tokens),
  ].map(showOnlyIfWide),
];

const resentCallsColumn: MeasureColumn = {
  ...makeTokenColumn("calls re-sent", 2, (row) => row.carried_tokens ?? 0),
  isKnown: ({ rereads }) => rereads !== undefined,
  isResentOnly: true,
};

const resentDefinitionsColumn: MeasureColumn = {
  head: "definitions re-sent",
  isNumber: true,
  dropRank: 3,
  isResentOnly: true,
  readNumber: ({ rent_tokens: tokens = 0 }) => tokens ?? 0,
  formatText: ({ rent_requests: requests = 0, rent_tokens: tokens = 0 }, { count }) =>
    tokens === null ? "unknown" : requests === 0 ? "" : count(tokens),
  isKnown: ({ rent_tokens: tokens }) => tokens !== undefined,
};

const tokensColumn: MeasureColumn = {
  head: "tokens",
  isNumber: true,
  readNumber: (row) => row.context_tokens,
  formatText: (row, { count }) => count(row.context_tokens),
};

const shareColumn: MeasureColumn = {
  head: "share",
  isNumber: true,
  dropRank: 13,
  readNumber: ({ share }) => share,
  formatText: ({ share }) => formatSmallShare(share),
};

const costColumn: MeasureColumn = {
  head: "cost",
  isNumber: true,
  dropRank: 14,
  readNumber: ({ cost_usd: cost }) => cost?.high ?? 0,
  formatText: ({ cost_usd: cost }) => (cost ? formatDollarRange(cost) : ""),
  isKnown: ({ cost_usd: cost }) => cost !== undefined,
};

export const toolColumns: readonly MeasureColumn[] = [
  makeCountColumn("sessions", 6, (row) => row.sessions),
  ...callColumns,
  resentDefinitionsColumn,
  resentCallsColumn,
  tokensColumn,
  shareColumn,
  costColumn,
];

export const usageColumns: readonly MeasureColumn[] = [
  makeCountColumn("sessions", 9, (row) => row.sessions),
  ...definitionColumns,
  ...callColumns,
  resentDefinitionsColumn,
  resentCallsColumn,
  makeTokenColumn("in calls", 6, (row) => row.total_tokens),
  tokensColumn,
  shareColumn,
  costColumn,
];

export const trendRowsMax = 10;

const trendColumns: readonly Column[] = [
  { head: "server" },
  { head: "tool" },
  { head: "tokens before", isNumber: true, dropRank: 7 },
  { head: "tokens", isNumber: true },
  { head: "change", isNumber: true },
  { head: "calls", isNumber: true, dropRank: 4 },
  { head: "per call before", isNumber: true, dropRank: 2 },
  { head: "per call", isNumber: true, dropRank: 5 },
  { head: "per call change", isNumber: true, dropRank: 3 },
];

const sparklineColumn: Column = { head: "by day", dropRank: 1 };

const definitionTrendColumns: readonly Column[] = [
  { head: "server" },
  { head: "definitions of" },
  { head: "lists before", isNumber: true, dropRank: 2 },
  { head: "lists", isNumber: true, dropRank: 3 },
  { head: "per list before", isNumber: true, dropRank: 1 },
  { head: "per list", isNumber: true },
  { head: "change", isNumber: true },
];

export function buildTrendSections(
  { rows, more, days, total, definitions }: UsageTrend,
  { count }: TokenFormat,
  isTerminal: boolean,
): readonly Section[] {
  const hasSparklines = isTerminal && days.length > 1;
  const totalRow = ["total", "", ...formatNumbers(total, count)];
  const hasOneServer = new Set(rows.map(({ server }) => server)).size === 1;
  const grid: Section = {
    kind: "grid",
    columns: hasSparklines ? [...trendColumns, sparklineColumn] : trendColumns,
    rows: [
      ...rows.filter(isInformative).map((row): Row => {
        const sparkline = hasSparklines ? [drawSparkline(row.daily_tokens)] : [];
        return [...formatLabels(row), ...formatNumbers(row, count), ...sparkline];
      }),
      ...(hasOneServer && more === 0 ? [] : [emphasizeRow(totalRow)]),
    ],
  };
  return [
    ...(rows.length > 0 ? [grid] : []),
    ...noteMoreRows(more),
    ...buildDefinitionSections(definitions, count),
  ];
}

// The row of a server with one tool would repeat the next row, which is the tool's.
function isInformative({ tool, now, before }: TrendRow, index: number, rows: readonly TrendRow[]) {
  const next = rows[index + 1];
  if (tool !== null || !next || next.tool === null) return true;
  return next.now.tokens !== now.tokens || next.before.tokens !== before.tokens;
}

function buildDefinitionSections(
  { rows, more }: DefinitionTrend,
  count: TokenFormat["count"],
): readonly Section[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [...formatLabels(row), ...formatDefinitionNumbers(row, count)]);
  return [{ kind: "grid", columns: definitionTrendColumns, rows: cells }, ...noteMoreRows(more)];
}

function formatDefinitionNumbers(
  { before, now, change }: DefinitionTrendRow,
  count: TokenFormat["count"],
): readonly Cell[] {
  const formatSize = ({ tokens_per_list: tokens }: DefinitionSide): string =>
    tokens === null ? noNumber : count(tokens);
  return [
    formatCount(before.lists),
    formatCount(now.lists),
    formatSize(before),
    formatSize(now),
    before.lists === 0 ? "new" : now.lists === 0 ? "gone" : formatChangeCell(change),
  ];
}

function formatLabels({ server, tool }: Pick<TrendRow, "server" | "tool">): readonly Cell[] {
  return [makeReportName(server), tool === null ? "(all)" : makeReportName(tool)];
}

function formatNumbers(
  { before, now, change }: UsageTrend["total"],
  count: TokenFormat["count"],
): readonly Cell[] {
  const formatPerCall = ({ tokens_per_call: tokens }: TrendSide): string =>
    tokens === null ? noNumber : count(tokens);
  return [
    before.calls === 0 ? noNumber : count(before.tokens),
    count(now.tokens),
    formatTokenChange(before, now),
    formatCount(now.calls),
    formatPerCall(before),
    formatPerCall(now),
    formatChangeCell(change),
  ];
}

function formatTokenChange(before: TrendSide, now: TrendSide): Cell {
  if (before.calls === 0) return "new";
  return before.tokens === 0 ? noNumber : formatChangeCell(now.tokens / before.tokens - 1);
}

function formatChangeCell(change: number | null): Cell {
  if (change === null) return noNumber;
  const text = formatChange(change);
  if (text === "=") return text;
  return { text, tone: change > 0 ? "caution" : "good" };
}

const barCharacters = "▁▂▃▄▅▆▇█";

function drawSparkline(values: readonly number[]): string {
  const max = Math.max(0, ...values);
  if (max === 0) return "";
  const last = barCharacters.length - 1;
  return values.map((value) => barCharacters[Math.ceil((value / max) * last)] ?? "").join("");
}

export const shortIdLengthMax = 12;

type ColumnChoice = {
  readonly isWide: boolean;
  readonly showsResent: boolean;
  readonly idLength: number;
};

export function selectColumns(
  by: readonly Axis[],
  totals: Measures,
  { isWide, showsResent, idLength }: ColumnChoice,
): readonly MeasureColumn[] {
  const allColumns = by.includes("tool") ? toolColumns : usageColumns;
  const columns = allColumns.filter((column) => showsResent || column.isResentOnly !== true);
  if (isWide) return columns.filter(({ isKnown }) => isKnown?.(totals) !== false);
  const shown = columns.filter(
    (column) => column.isWideOnly !== true && column.readNumber(totals) > 0,
  );
  if (!by.includes("session")) return shown;
  const columnsBySession = shown.filter(({ head }) => head !== "sessions");
  if (idLength > shortIdLengthMax) return columnsBySession;
  // If the ids are short, the share column is dropped before the id column.
  return columnsBySession.map((column) =>
    column.head === "share" ? { ...column, dropRank: 1 } : column,
  );
}
