import type { Advice } from "#history/reports/advice/advice.ts";
import type { UsageReport, UsageSum } from "#history/reports/usage-report.ts";
import { renderJson, type Document } from "./document.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { buildOverview, type OverviewOptions } from "./documents/overview.ts";
import {
  buildEmptyDocument,
  buildUsageDocument,
  type UsageDocumentOptions,
} from "./documents/usage.ts";
import type { ReportFormat } from "./formats.ts";
import { render } from "./index.ts";
import type { TerminalOptions } from "./terminal.ts";

export type UsageRenderOptions = TerminalOptions &
  Omit<UsageDocumentOptions, "modelOption"> &
  Pick<OverviewOptions, "limitsInPlace" | "isCosted"> & {
    /** Present only without `--by` and `--trend`. */
    readonly advice?: readonly Advice[] | undefined;
  };

export function renderUsage(
  format: ReportFormat,
  report: UsageReport,
  options: UsageRenderOptions,
): string {
  if (format === "json") {
    const { advice } = options;
    return renderJson(advice ? { ...report, advice: advice.slice(0, adviceInJsonMax) } : report);
  }
  if (format === "csv") return renderUsageCsv(report);
  return render(format, { document: buildDocument(report, options), data: report }, options);
}

const adviceInJsonMax = 100;

function buildDocument(report: UsageReport, options: UsageRenderOptions): Document {
  if (report.blocks.length === 0) return buildEmptyDocument(report);
  return options.advice
    ? buildOverview(report, { ...options, advice: options.advice })
    : buildUsageDocument(report, options);
}

type CsvValue = string | number | null;

type CsvRow = { readonly [name: string]: CsvValue | undefined };

export function renderUsageCsv({ sum, machine }: UsageReport): string {
  const rows = listCsvRows(sum).map((row) =>
    machine === undefined || "machine" in row ? row : { ...row, machine },
  );
  const names = new Set(["estimator", ...rows.flatMap((row) => Object.keys(row))]);
  return renderCsv([...names], rows);
}

function listCsvRows({ counted_by: counted, tables }: UsageSum): CsvRow[] {
  const [table] = tables;
  if (!table) return [];
  const estimator = counted.flatMap(({ estimation }) => estimation?.estimator ?? []).join(" ");
  const lastAxis = table.by.at(-1) ?? "";
  const nameColumn = lastAxis === "session" ? "session_id" : lastAxis;
  return table.rows.map(({ more, cost_usd: cost, ...row }) => ({
    estimator,
    ...row,
    ...(cost === undefined
      ? {}
      : { cost_low_usd: cost?.low ?? null, cost_high_usd: cost?.high ?? null }),
    ...(more === undefined ? {} : { [nameColumn]: `(${more} more)` }),
  }));
}

// As in RFC 4180, but lines end with LF.
function renderCsv(header: readonly string[], rows: readonly CsvRow[]): string {
  const lines = rows.map((row) => header.map((name) => formatCsvCell(row[name] ?? null)).join(","));
  return `${[header.join(","), ...lines].join("\n")}\n`;
}

// An apostrophe before `=`, `+`, `-` or `@` keeps a spreadsheet from evaluating the text as a formula.
function formatCsvCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = escapeUnsafe(value).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
