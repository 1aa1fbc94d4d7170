import { tableColumnsMax } from "#limits/content.ts";

/** Rows of a table without the row of names, and columns. */
export type TableSize = { readonly rows: number; readonly columns: number };

/** The size of the only table in a text: Markdown, or a text that is CSV or TSV as a whole. */
export function textTableSize(text: string): TableSize | undefined {
  return markdownSize(text) ?? separatedSize(text, "\t") ?? separatedSize(text, ",");
}

/** The line between the names and the rows of a Markdown table. */
const delimiterRow = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function markdownSize(text: string): TableSize | undefined {
  if (!text.includes("|")) return undefined;
  const lines = text.split("\n");
  const at = lines.findIndex((line) => isDelimiter(line));
  const columns = cellsIn(lines[at - 1] ?? "");
  if (at < 1 || columns === 0 || cellsIn(lines[at] ?? "") !== columns) return undefined;
  if (lines.slice(at + 1).some((line) => isDelimiter(line))) return undefined;
  const end = lines.findIndex((line, index) => index > at && !line.includes("|"));
  const rows = (end < 0 ? lines.length : end) - at - 1;
  return { rows, columns: Math.min(columns, tableColumnsMax) };
}

function isDelimiter(line: string): boolean {
  return line.includes("|") && delimiterRow.test(line);
}

/** Cells of a row of a Markdown table, in which `\|` is text; 0 when it has none. */
function cellsIn(line: string): number {
  const row = line.trim().replaceAll(String.raw`\|`, "");
  if (!row.includes("|")) return 0;
  return row.replace(/^\|/, "").replace(/\|$/, "").split("|").length;
}

/** Characters of the name of a column in CSV or TSV, at most; prose has longer parts between its commas. */
const columnNameCharacters = 64;

/**
 * The size of a text of two lines and more with the same number of fields in each, at least two, below names.
 * Prose with commas is not one: a name neither begins with a space nor ends with a full stop.
 */
function separatedSize(text: string, separator: string): TableSize | undefined {
  if (!text.includes(separator) || !text.includes("\n")) return undefined;
  const [names = [], ...rows] = parseRecords(text, separator);
  const areNames =
    names.every((name) => isColumnName(name)) && new Set(names).size === names.length;
  const isTable = names.length > 1 && rows.length > 0 && areNames;
  if (!isTable || rows.some((row) => row.length !== names.length)) return undefined;
  return { rows: rows.length, columns: Math.min(names.length, tableColumnsMax) };
}

function isColumnName(name: string): boolean {
  const isNamed = name !== "" && name.length <= columnNameCharacters;
  return isNamed && !name.startsWith(" ") && !name.endsWith(".") && !name.includes("\n");
}

/** Fields of the lines of RFC 4180, in which quotes may hold separators and line breaks; empty lines are left out. */
function parseRecords(text: string, separator: string): string[][] {
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}][^\\r\\n${separator}]*)|)(${separator}|\\r?\\n|$)`,
    "gy",
  );
  const records: string[][] = [];
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const [found, quoted, plain, end] = field.exec(text) ?? [];
    if (found === undefined) return [];
    record.push(quoted ?? plain ?? "");
    if (end === separator) continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  }
  return record.length > 0 ? [...records, [...record, ""]] : records;
}
