import type { UsageReport, UsageBlock } from "#history/reports/usage-report.ts";
import { emptyUsageDocument, usageDocument } from "./documents/usage.ts";
import type { ReportFormat } from "./formats.ts";
import { render } from "./index.ts";
import { renderJson } from "./json.ts";
import type { TerminalOptions } from "./terminal.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";

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
