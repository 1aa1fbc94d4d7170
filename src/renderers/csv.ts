import { escapeUnsafe } from "#text/unsafe-text.ts";

/** A value of a CSV file; null is an empty cell. */
export type CsvValue = string | number | null;

/**
 * Rows as CSV (RFC 4180), but with LF as the end of a line: a header, then the members of each object. Ends with a
 * newline.
 */
export function renderCsv(
  header: readonly string[],
  rows: readonly { readonly [name: string]: CsvValue | undefined }[],
): string {
  const lines = rows.map((row) => header.map((name) => csvCell(row[name] ?? null)).join(","));
  return `${[header.join(","), ...lines].join("\n")}\n`;
}

/** Text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = escapeUnsafe(value).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
