import { escapeUnsafe } from "#kit/text/unsafe-text.ts";

export type CsvValue = string | number | null;

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
