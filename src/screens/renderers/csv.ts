import type { UsageReport, UsageSum } from "#history/reports/usage-report.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";

type CsvRow = { readonly [name: string]: CsvValue | undefined };

export function renderUsageCsv({ sum, machine }: UsageReport): string {
  const machineCell = machine === undefined ? {} : { machine };
  const rows = listCsvRows(sum).map((row) => ({
    ...row,
    ...("machine" in row ? {} : machineCell),
  }));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return renderCsv(["estimator", ...[...names].filter((name) => name !== "estimator")], rows);
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
