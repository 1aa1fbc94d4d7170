import { isObject, readArray, readMember, readString } from "#wire/json.ts";
import {
  overheadCharactersMin,
  parseDocument,
  parsedJsonCharactersMax,
} from "./answer-overhead/overhead.ts";

const tableColumnsMax = 1_000;

// Columns are counted in the first rows only, because rows of one table usually have the same members.
const tableRowsReadMax = 100;

export type DataShape = {
  readonly rows?: number;
  readonly columns?: number;
  readonly truncated?: boolean; // the answer says that rows are missing
  readonly cached_result?: boolean;
  readonly row_limit?: number;
};

export function detectShape(result: unknown, rowLimit?: number): DataShape | undefined {
  const { structured, text } = readAnswer(result);
  const value = structured ?? parseJson(text);
  if (value !== undefined) return addRowLimit(detectJsonShape(value), rowLimit);
  const size = text === undefined ? undefined : measureTextTable(text);
  return addRowLimit(size && { ...size, truncated: false }, rowLimit);
}

/** Ignores tables that are not JSON, and long texts: parsing those could delay the next answer to the client. */
export function detectShapeIfCheap(result: unknown): DataShape | undefined {
  const { structured, text } = readAnswer(result);
  const isShort = text !== undefined && text.length < overheadCharactersMin;
  return detectJsonShape(structured ?? parseJson(isShort ? text : undefined));
}

export function detectJsonShape(value: unknown): DataShape | undefined {
  if (value === undefined) return undefined;
  const size = measureNamedColumns(value) ?? measureObjectRows(value);
  const truncated = readFlag(value, truncationMembers) ?? (size ? false : undefined);
  const cached = readFlag(value, cacheMembers);
  if (truncated === undefined && cached === undefined) return undefined;
  return {
    ...size,
    ...(truncated === undefined ? {} : { truncated }),
    ...(cached === undefined ? {} : { cached_result: cached }),
  };
}

export function addRowLimit(
  shape: DataShape | undefined,
  rowLimit: number | undefined,
): DataShape | undefined {
  return shape && rowLimit !== undefined ? { ...shape, row_limit: rowLimit } : shape;
}

const columnMembers = ["columnNames", "column_names", "columns", "headers", "fields"];

// `{ columnNames, rows }`, with arrays or objects as rows.
function measureNamedColumns(value: unknown): TableSize | undefined {
  if (!isObject(value)) return undefined;
  const columnMember = columnMembers.find((name) => Array.isArray(value[name]));
  if (columnMember === undefined) return undefined;
  const columns = readArray(value, columnMember);
  const { [columnMember]: _, ...others } = value;
  const [rows, ...more] = Object.values(others).filter((member) => Array.isArray(member));
  if (!rows || more.length > 0 || columns.length === 0) return undefined;
  const isTable = rows.every((row) => Array.isArray(row)) || rows.every(isObject);
  if (!isTable) return undefined;
  return { rows: rows.length, columns: Math.min(columns.length, tableColumnsMax) };
}

function measureObjectRows(value: unknown): TableSize | undefined {
  const rows = findRows(value);
  if (!rows) return undefined;
  const columns = new Set<string>();
  for (const row of rows.slice(0, tableRowsReadMax)) {
    for (const key of Object.keys(row)) if (columns.size < tableColumnsMax) columns.add(key);
  }
  return { rows: rows.length, columns: columns.size };
}

function findRows(value: unknown): readonly object[] | undefined {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isObject) ? value : undefined;
  }
  if (!isObject(value)) return undefined;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 1 ? findRows(lists[0]) : undefined;
}

const truncationMembers = ["truncated", "is_truncated", "isTruncated", "has_more", "hasMore"];
const cacheMembers = ["cachedResult", "cached_result"];

function readFlag(value: unknown, names: readonly string[]): boolean | undefined {
  let found: boolean | undefined;
  for (const name of names) {
    const flag = readMember(value, name);
    if (flag === true) return true;
    if (flag === false) found = false;
  }
  return found;
}

type Answer = { readonly structured: unknown; readonly text: string | undefined };

function readAnswer(result: unknown): Answer {
  const structured = readMember(result, "structuredContent");
  const wrapped = readWrappedText(structured);
  if (wrapped !== undefined) return { structured: undefined, text: omitLongText(wrapped) };
  const [block, ...more] = readArray(result, "content");
  const text = more.length === 0 ? readString(block, "text") : undefined;
  return { structured, text: omitLongText(text) };
}

// The Python SDK wraps a text in structured content: `{"result":"id,title\n1,One\n"}`.
function readWrappedText(structured: unknown): string | undefined {
  if (!isObject(structured) || Object.keys(structured).length !== 1) return undefined;
  return readString(structured, "result");
}

function omitLongText(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= parsedJsonCharactersMax ? text : undefined;
}

function parseJson(text: string | undefined): unknown {
  return text === undefined ? undefined : parseDocument(text);
}

type TableSize = { readonly rows: number; readonly columns: number };

function measureTextTable(text: string): TableSize | undefined {
  return measureMarkdown(text) ?? measureSeparated(text, "\t") ?? measureSeparated(text, ",");
}

const delimiterRow = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/;

function measureMarkdown(text: string): TableSize | undefined {
  if (!text.includes("|")) return undefined;
  const lines = text.split("\n");
  const at = lines.findIndex(isDelimiterRow);
  const columns = countCells(lines[at - 1] ?? "");
  if (at < 1 || columns === 0 || countCells(lines[at] ?? "") !== columns) return undefined;
  if (lines.slice(at + 1).some(isDelimiterRow)) return undefined; // more than one table
  const end = lines.findIndex((line, index) => index > at && !line.includes("|"));
  const rows = (end < 0 ? lines.length : end) - at - 1;
  return { rows, columns: Math.min(columns, tableColumnsMax) };
}

function isDelimiterRow(line: string): boolean {
  return line.includes("|") && delimiterRow.test(line.trim());
}

// An escaped `\|` is text.
function countCells(line: string): number {
  const row = line.trim().replaceAll(String.raw`\|`, "");
  if (!row.includes("|")) return 0;
  return row.replace(/^\|/, "").replace(/\|$/, "").split("|").length;
}

// A longer text between separators is prose.
const columnNameCharactersMax = 64;

function measureSeparated(text: string, separator: string): TableSize | undefined {
  if (!text.includes(separator) || !text.includes("\n")) return undefined;
  const [names = [], ...rows] = parseRecords(text, separator);
  const areNames = names.every(isColumnName) && new Set(names).size === names.length;
  const isTable = names.length > 1 && rows.length > 0 && areNames;
  if (!isTable || rows.some((row) => row.length !== names.length)) return undefined;
  return { rows: rows.length, columns: Math.min(names.length, tableColumnsMax) };
}

// Prose has a space after its comma, or ends with a full stop.
function isColumnName(name: string): boolean {
  const isNamed = name !== "" && name.length <= columnNameCharactersMax;
  return isNamed && !name.startsWith(" ") && !name.endsWith(".") && !name.includes("\n");
}

// As in RFC 4180, but empty lines are skipped.
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
