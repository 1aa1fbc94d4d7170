import { tableColumnsMax } from "#limits/content.ts";
import { exactCountCharacters } from "#limits/counting.ts";
import { arrayAt, isObject, memberAt, textAt } from "#wire/json.ts";
import { textTableSize, type TableSize } from "./text-table.ts";

/** Size of a result that is a table: rows below the names of columns, or objects and their distinct members. */
export type Table = TableSize & {
  /** True when the result itself says that rows are missing. */
  readonly truncated: boolean;
};

/**
 * The table a result holds: in `structuredContent`, else in its only text, as JSON, CSV, TSV or Markdown.
 * Undefined when there is none, or more than one.
 */
export function tableOf(result: unknown): Table | undefined {
  const text = onlyText(result);
  const value = memberAt(result, "structuredContent") ?? parsed(text);
  if (value !== undefined) {
    const size = namedColumns(value) ?? objectRows(value);
    return size && { ...size, truncated: isTruncated(value) };
  }
  const size = text === undefined ? undefined : textTableSize(text);
  return size && { ...size, truncated: false };
}

const columnMembers = ["columnNames", "column_names", "columns", "headers", "fields"];

/** `{ columnNames, rows }`: rows as arrays or as objects, below the names of their columns. */
function namedColumns(value: unknown): TableSize | undefined {
  if (!isObject(value)) return undefined;
  const names = columnMembers.find((name) => Array.isArray(value[name]));
  if (names === undefined) return undefined;
  const columns = arrayAt(value, names);
  const others = Object.entries(value).filter(([name]) => name !== names);
  const lists = others.map(([, member]) => member).filter((member) => Array.isArray(member));
  const [rows, ...more] = lists;
  if (!rows || more.length > 0 || columns.length === 0) return undefined;
  const isTable = rows.every((row) => Array.isArray(row)) || rows.every(isObject);
  if (!isTable) return undefined;
  return { rows: rows.length, columns: Math.min(columns.length, tableColumnsMax) };
}

function objectRows(value: unknown): TableSize | undefined {
  const rows = rowsOf(value);
  if (!rows) return undefined;
  const columns = new Set<string>();
  for (const row of rows) {
    for (const key of Object.keys(row)) if (columns.size < tableColumnsMax) columns.add(key);
  }
  return { rows: rows.length, columns: columns.size };
}

/** An array of objects, or the only such array among an object's members. */
function rowsOf(value: unknown): readonly object[] | undefined {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isObject) ? value : undefined;
  }
  if (!isObject(value)) return undefined;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 1 ? rowsOf(lists[0]) : undefined;
}

const truncationMembers = ["truncated", "is_truncated", "isTruncated", "has_more", "hasMore"];

function isTruncated(value: unknown): boolean {
  return truncationMembers.some((name) => memberAt(value, name) === true);
}

/** The only text of a result, up to the length that is counted exactly. */
function onlyText(result: unknown): string | undefined {
  const [block, ...more] = arrayAt(result, "content");
  const text = more.length === 0 ? textAt(block, "text") : undefined;
  return text === undefined || text.length > exactCountCharacters ? undefined : text;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
