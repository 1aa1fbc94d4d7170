import type { Measures } from "#history/reports/usage-report.ts";
import { formatDollarRange } from "#kit/text/dollars.ts";
import { formatCount, formatShare } from "#kit/text/numbers.ts";
import type { Column } from "../document.ts";
import type { TokenFormat } from "./token-format.ts";

export type MeasureColumn = Column & {
  readonly numberIn: (measures: Measures) => number;
  readonly textIn: (measures: Measures, format: TokenFormat) => string;
  readonly isWideOnly?: boolean;
  /** False if the records of a report do not have this number; absent if all have it. */
  readonly isKnown?: (totals: Measures) => boolean;
};

const mean = (sum: number, { definition_lists: lists }: Measures): number =>
  lists === 0 ? 0 : sum / lists;

function countColumn(
  head: string,
  dropRank: number,
  numberIn: MeasureColumn["numberIn"],
  isWideOnly = false,
): MeasureColumn {
  const textIn: MeasureColumn["textIn"] = (measures) => formatCount(numberIn(measures));
  return { head, isNumber: true, dropRank, numberIn, textIn, isWideOnly };
}

function tokenColumn(
  head: string,
  dropRank: number | undefined,
  numberIn: MeasureColumn["numberIn"],
  isWideOnly = false,
): MeasureColumn {
  const textIn: MeasureColumn["textIn"] = (measures, { count }) => count(numberIn(measures));
  const rank = dropRank === undefined ? {} : { dropRank };
  return { head, isNumber: true, ...rank, numberIn, textIn, isWideOnly };
}

const callColumns: readonly MeasureColumn[] = [
  { ...countColumn("calls", 12, (row) => row.calls) },
  countColumn("errors", 11, (row) => row.errors),
  countColumn("refused", 7, (row) => row.refused),
  countColumn("cancelled", 1, (row) => row.cancelled, true),
  countColumn("abandoned", 1, (row) => row.abandoned, true),
  countColumn("repeats", 8, (row) => row.repeated_calls),
  tokenColumn("args", 2, (row) => row.input_tokens, true),
  tokenColumn("result", 2, (row) => row.output_tokens, true),
  tokenColumn("wire", 1, (row) => row.wire_tokens, true),
  tokenColumn("duplicate", 1, (row) => row.duplicate_tokens, true),
  tokenColumn("max", 3, (row) => row.max_tokens, true),
];

const isLogged = ({ rereads }: Measures): boolean => rereads !== undefined;

const loggedColumns: readonly MeasureColumn[] = [
  { ...countColumn("re-reads", 1, ({ rereads = 0 }) => rereads), isKnown: isLogged },
  { ...tokenColumn("carried", 2, (row) => row.carried_tokens ?? 0), isKnown: isLogged },
];

const rentColumn: MeasureColumn = {
  head: "rent",
  isNumber: true,
  dropRank: 3,
  numberIn: ({ rent_tokens: tokens = 0 }) => tokens ?? 0,
  textIn: ({ rent_requests: requests = 0, rent_tokens: tokens = 0 }, { count }) =>
    tokens === null ? "unknown" : requests === 0 ? "" : count(tokens),
  isKnown: ({ rent_tokens: tokens }) => tokens !== undefined,
};

const shareColumn: MeasureColumn = {
  head: "share",
  isNumber: true,
  dropRank: 13,
  numberIn: ({ share }) => share,
  textIn: ({ share }) => formatShare(share),
};

const costColumn: MeasureColumn = {
  head: "cost",
  isNumber: true,
  dropRank: 14,
  numberIn: ({ cost_usd: cost }) => cost?.high ?? 0,
  textIn: ({ cost_usd: cost }) => (cost ? formatDollarRange(cost) : ""),
  isKnown: ({ cost_usd: cost }) => cost !== undefined,
};

export const toolColumns: readonly MeasureColumn[] = [
  countColumn("sessions", 6, (row) => row.sessions),
  ...callColumns,
  ...loggedColumns,
  rentColumn,
  tokenColumn("tokens", undefined, (row) => row.context_tokens),
  shareColumn,
  costColumn,
];

/** Definitions are those of an average session, all other numbers are sums. */
export const usageColumns: readonly MeasureColumn[] = [
  countColumn("sessions", 9, (row) => row.sessions),
  tokenColumn("listed", 4, (row) => mean(row.listed_tokens, row)),
  tokenColumn("in context", 10, (row) => mean(row.resident_tokens, row)),
  tokenColumn("loaded", 5, (row) => mean(row.loaded_tokens, row)),
  ...callColumns,
  ...loggedColumns,
  rentColumn,
  tokenColumn("in calls", 6, (row) => row.total_tokens),
  tokenColumn("tokens", undefined, (row) => row.context_tokens),
  shareColumn,
  costColumn,
];
