import { nameCharactersMax, exactCountCharacters } from "#kit/limits.ts";
import {
  canonicalizeJson,
  readArray,
  stringifyCompact,
  isObject,
  readMember,
  readString,
  removeMeta,
} from "#wire/json.ts";
import { type Caller, readCaller, noCaller } from "./caller.ts";
import {
  listErrorReadings,
  listPromptReadings,
  listResourceReadings,
} from "./client-profiles/unknown.ts";
import type { Estimator } from "./estimator.ts";
import {
  listContentParts,
  type MediaPart,
  type Part,
  listContentsParts,
  type TextPart,
} from "./client-profiles/block.ts";
import {
  type Reading,
  applyLimit,
  describeToolResult,
  makeEcho,
  composeVisible,
  type Visibility,
} from "./visibility.ts";
import { describeSampling, listMessageBlocks, toBlocks } from "./sampling.ts";
import { overheadCharactersMin } from "../limits.ts";
import { parseDocument } from "./overhead/overhead.ts";

export type RequestDescription = {
  readonly isPriced: boolean;
  readonly tool: string | null;
  readonly input: readonly string[];
  readonly media?: readonly MediaPart[];
  readonly arguments: string | undefined;
  readonly rowLimit?: number | undefined;
  readonly caller: Caller;
};

type MethodRule = {
  request(params: unknown): RequestDescription;
  result(result: unknown, reading: Reading): Visibility;
};

const pricedMethods: { readonly [method: string]: MethodRule } = {
  "tools/call": {
    request: describeNamedRequest,
    result: describeToolResult,
  },
  "prompts/get": {
    request: describeNamedRequest,
    result: (result, { profile }) => ({
      ...showAll(listContentParts(listMessageBlocks(result), profile.resourcesAsJson)),
      ...(profile.isUnknown && { ceiling: () => listPromptReadings(result) }),
    }),
  },
  "resources/read": {
    request: (params) => {
      const uri = readString(params, "uri") ?? "";
      const caller = readCaller(params);
      return { isPriced: true, tool: null, input: [uri], arguments: uri, caller };
    },
    result: (result, { profile }) => ({
      ...showAll(listContentsParts(readArray(result, "contents"), profile.resourcesAsJson)),
      ...(profile.isUnknown && { ceiling: () => listResourceReadings(result) }),
    }),
  },
  "sampling/createMessage": {
    request: (params) => ({
      isPriced: true,
      tool: null,
      ...describeSampling(params),
      arguments: undefined,
      caller: readCaller(params),
    }),
    result: (result, { profile }) =>
      showAll(listContentParts(toBlocks(readMember(result, "content")), profile.resourcesAsJson)),
  },
};

// Claude Code shows this server notification to its model: docs/adr/0009-calls-and-their-readers.md.
export const channelMethod = "notifications/claude/channel";

export function isPriced(method: string): boolean {
  return Object.hasOwn(pricedMethods, method);
}

/** Accepts any params and never throws. */
export function describeRequest(method: string, params: unknown): RequestDescription {
  const rule = isPriced(method) ? pricedMethods[method] : undefined;
  if (rule) return rule.request(params);
  const shown = method === "tools/list" ? readMember(params, "cursor") : removeMeta(params);
  const isEmpty = isObject(shown) && Object.keys(shown).length === 0;
  return {
    isPriced: false,
    tool: null,
    input: isEmpty ? [] : [stringifyCompact(shown)],
    arguments: undefined,
    caller: noCaller,
  };
}

export function describeResult(method: string, result: unknown, reading: Reading): Visibility {
  const rule = isPriced(method) ? pricedMethods[method] : undefined;
  if (rule) return rule.result(result, reading);
  if (method === channelMethod) return describeChannel(result, reading);
  return showAll([{ kind: "text", text: stringifyCompact(removeMeta(result)) }]);
}

function describeChannel(params: unknown, { profile }: Reading): Visibility {
  const text = profile.channel?.(params) ?? "";
  const visible: readonly TextPart[] = text === "" ? [] : [{ kind: "text", text }];
  const ceiling = profile.isUnknown ? { ceiling: () => listErrorReadings(params, visible) } : {};
  return { ...showAll([{ kind: "text", text: stringifyCompact(params) }]), visible, ...ceiling };
}

export function describeError(method: string, error: unknown, reading: Reading): Visibility {
  const { profile, request } = reading;
  const code = stringifyCompact(readMember(error, "code"));
  const message = readString(error, "message") ?? "";
  const data = stringifyCompact(readMember(error, "data"));
  const texts = [code, message, data];
  const wire = texts.map((text): TextPart => ({ kind: "text", text }));
  const ceiling = profile.isUnknown ? { ceiling: () => listErrorReadings(error, wire) } : {};
  if (method !== "tools/call") return { ...showAll(wire), ...ceiling };
  if (profile.isScripted(request.caller)) return { ...showAll(wire), isScripted: true };
  const facts = { code, message, data, parts: wire, echo: makeEcho(request) };
  const shown = composeVisible(profile.protocolError(facts), profile.separator, wire);
  const cut = applyLimit(shown.visible, profile.errorLimit?.(shown.visible, true));
  return { wire, duplicate: [], ...shown, ...cut, ...ceiling };
}

function describeNamedRequest(params: unknown): RequestDescription {
  const name = readString(params, "name") ?? "";
  const rawArguments = readMember(params, "arguments");
  return {
    isPriced: true,
    tool: name.slice(0, nameCharactersMax),
    input: [name, stringifyCompact(rawArguments)],
    arguments: rawArguments === undefined ? "" : canonicalizeJson(rawArguments),
    rowLimit: readRowLimit(rawArguments),
    caller: readCaller(params),
  };
}

export function listInputTexts(
  { tool, input }: Pick<RequestDescription, "tool" | "input">,
  { framesCalls }: Pick<Estimator, "framesCalls">,
): readonly string[] {
  if (tool === null || framesCalls !== true) return input;
  const [name = "", json = ""] = input;
  const argumentsMember = json === "" ? "" : `,"arguments":${json}`;
  return [`{"name":${JSON.stringify(name)}${argumentsMember}}`];
}

function showAll(parts: readonly Part[]): Visibility {
  return { visible: parts, wire: parts, duplicate: [] };
}

const tableColumnsMax = 1_000;

// The rows of a table have the same members, so these suffice; answers must not wait for the rest.
const tableRowsReadMax = 100;

// A larger number is hardly a row limit, and records must not contain other argument values.
export const rowLimitMax = 1_000_000_000;

export type DataShape = {
  readonly rows?: number;
  readonly columns?: number;
  // True if the answer says that rows are missing; false for other tables.
  readonly truncated?: boolean;
  readonly cached_result?: boolean;
  readonly row_limit?: number;
};

export function detectShape(result: unknown, rowLimit?: number): DataShape | undefined {
  const text = readOnlyText(result);
  const value = readMember(result, "structuredContent") ?? parseJson(text);
  if (value !== undefined) return addRowLimit(detectJsonShape(value), rowLimit);
  const size = text === undefined ? undefined : measureTextTable(text);
  return addRowLimit(size && { ...size, truncated: false }, rowLimit);
}

export function detectShortShape(result: unknown): DataShape | undefined {
  const text = readOnlyText(result);
  const isShort = text !== undefined && text.length < overheadCharactersMin;
  return detectJsonShape(
    readMember(result, "structuredContent") ?? parseJson(isShort ? text : undefined),
  );
}

export function detectJsonShape(value: unknown): DataShape | undefined {
  if (value === undefined) return undefined;
  const size = measureNamedColumns(value) ?? measureObjectRows(value);
  const truncated = readFlag(value, truncationMembers) ?? (size && false);
  const cached = readFlag(value, cacheMembers);
  if (truncated === undefined && cached === undefined) return undefined;
  return {
    ...size,
    ...(truncated === undefined ? {} : { truncated }),
    ...(cached === undefined ? {} : { cached_result: cached }),
  };
}

// A limit means nothing without a shape, and records must not contain argument values.
export function addRowLimit(
  shape: DataShape | undefined,
  rowLimit: number | undefined,
): DataShape | undefined {
  return shape && rowLimit !== undefined ? { ...shape, row_limit: rowLimit } : shape;
}

const limitMembers = ["limit", "maxRowsLimit", "pageSize", "max_rows_limit", "page_size"];

export function readRowLimit(rawArguments: unknown): number | undefined {
  if (!isObject(rawArguments)) return undefined;
  for (const name of limitMembers) {
    const limit = readMember(rawArguments, name);
    if (typeof limit !== "number" || !Number.isInteger(limit)) continue;
    if (limit > 0 && limit <= rowLimitMax) return limit;
  }
  return undefined;
}

const columnMembers = ["columnNames", "column_names", "columns", "headers", "fields"];

// `{ columnNames, rows }`, with arrays or objects as rows.
function measureNamedColumns(value: unknown): TableSize | undefined {
  if (!isObject(value)) return undefined;
  const names = columnMembers.find((name) => Array.isArray(value[name]));
  if (names === undefined) return undefined;
  const columns = readArray(value, names);
  const others = Object.entries(value).filter(([name]) => name !== names);
  const lists = others.map(([, member]) => member).filter((member) => Array.isArray(member));
  const [rows, ...more] = lists;
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

function readOnlyText(result: unknown): string | undefined {
  const [block, ...more] = readArray(result, "content");
  const text = more.length === 0 ? readString(block, "text") : undefined;
  return text === undefined || text.length > exactCountCharacters ? undefined : text;
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
  const at = lines.findIndex((line) => isDelimiterRow(line));
  const columns = countCells(lines[at - 1] ?? "");
  if (at < 1 || columns === 0 || countCells(lines[at] ?? "") !== columns) return undefined;
  if (lines.slice(at + 1).some((line) => isDelimiterRow(line))) return undefined;
  const end = lines.findIndex((line, index) => index > at && !line.includes("|"));
  const rows = (end < 0 ? lines.length : end) - at - 1;
  return { rows, columns: Math.min(columns, tableColumnsMax) };
}

function isDelimiterRow(line: string): boolean {
  return line.includes("|") && delimiterRow.test(line.trim());
}

// In a row of a Markdown table, `\|` is text. 0 if there are no cells.
function countCells(line: string): number {
  const row = line.trim().replaceAll(String.raw`\|`, "");
  if (!row.includes("|")) return 0;
  return row.replace(/^\|/, "").replace(/\|$/, "").split("|").length;
}

// Longest plausible column name in CSV or TSV: between its commas, prose has longer text.
const columnNameCharacters = 64;

// Prose is not a table: a column name has no leading space and no final full stop.
function measureSeparated(text: string, separator: string): TableSize | undefined {
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

// RFC 4180: quoted fields may contain separators and line breaks. Skips empty lines.
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
