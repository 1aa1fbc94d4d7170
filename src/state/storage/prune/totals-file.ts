import { statSync } from "node:fs";
import { join } from "node:path";
import { attempt, UserError } from "#kit/errors.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { replaceFile } from "#kit/os/write-file.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import type { DayTotal } from "#history/reports/removed-usage.ts";
import { makePositionFinder } from "#kit/syntax/syntax-tree.ts";
import { validateValue } from "#kit/text/schema-mismatch.ts";
import { validate } from "../../../../dist/validators/day-totals.js";
import { parseJson } from "#kit/syntax/jsonc.ts";
import { describeReason } from "#kit/sentences.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { makeSums, sumNames } from "#history/reports/usage-sums.ts";

const totalsBytesMax = 128 * 1024 * 1024;

const format = "day-totals/1";

export type TotalsFile = {
  readonly format: string;
  readonly zone: string;
  readonly removing: readonly string[]; // record files that are counted in the rows, and still to be removed
  readonly columns: readonly string[];
  readonly rows: readonly TotalsRow[];
};

export type SavedTotals = {
  readonly zone: TimeZone;
  readonly removing: readonly string[];
  readonly totals: readonly DayTotal[];
};

export function locateTotals(stateFolder: string): string {
  return join(stateFolder, "day-totals.json");
}

export function readTotals(stateFolder: string): SavedTotals | undefined {
  const path = locateTotals(stateFolder);
  const content = readWholeFile(path, totalsBytesMax);
  if ("fault" in content) {
    if (content.fault === "ENOENT") return undefined;
    throw new UserError(pruneSentences.totalsUnreadable(path, content.fault));
  }
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parseTotals(text);
  if ("fault" in parsed) throw new UserError(pruneSentences.totalsUnreadable(path, parsed.fault));
  const read = validateValue(parsed.value, validate);
  if ("fault" in read) throw new UserError(pruneSentences.totalsUnreadable(path, read.fault));
  const { zone, removing, columns: names, rows } = read.value;
  return { zone: parseZone(zone, path), removing, totals: rows.map(makeRowReader(names)) };
}

// The stamp changes with each write of the totals, so that a reader notices the write.
export function readTotalsStamp(stateFolder: string): string {
  return attempt(() => {
    const { ino, mtimeMs, size } = statSync(locateTotals(stateFolder));
    return `${ino} ${mtimeMs} ${size}`;
  }, "");
}

function parseZone(name: string, path: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch {
    throw new UserError(pruneSentences.totalsUnreadable(path, "zone is not a time zone"));
  }
}

export function writeTotals(stateFolder: string, { zone, removing, totals }: SavedTotals): void {
  const rows = totals.map(makeRow);
  const file: TotalsFile = { format, zone: zone.name, removing, columns: totalsColumns, rows };
  const path = locateTotals(stateFolder);
  const fault = replaceFile(path, `${JSON.stringify(file)}\n`);
  if (fault !== undefined) throw new UserError(pruneSentences.totalsUnwritable(path, fault));
}

// `JSON.parse` is fast even for large files, but only `parseJson` finds the line of a fault.
function parseTotals(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const read = parseJson(text);
    if (!("fault" in read)) return { value: read.value };
    return { fault: `line ${makePositionFinder(text)(read.offset).line}: ${read.fault}` };
  }
}

type Cell = string | number | boolean | null;

type TotalsRow = readonly Cell[];

const factColumns = ["day", "server", "method", "tool", "client", "model"] as const;

const estimationMembers = [
  ["estimator", "estimator"],
  ["is_estimated", "is_estimated"],
  ["estimation_method", "method"],
  ["estimation_encoding", "encoding"],
  ["estimation_error", "error"],
  ["confidence", "confidence"],
] as const;

export const totalsColumns: readonly string[] = [
  ...factColumns,
  ...estimationMembers.map(([name]) => name),
  "sessions",
  ...sumNames,
];

export function makeRow({ sums, estimation, sessions, ...total }: DayTotal): TotalsRow {
  return [
    ...factColumns.map((name) => total[name]),
    ...estimationMembers.map(([, member]) => estimation?.[member] ?? null),
    sessions,
    ...sumNames.map((name) => sums[name]),
  ];
}

export function makeRowReader(names: readonly string[]): (row: TotalsRow) => DayTotal {
  const columns = new Map(names.map((name, at) => [name, at]));
  return (row) => {
    const cell = (name: string): Cell => row[columns.get(name) ?? -1] ?? null;
    const sums = makeSums();
    for (const name of sumNames) sums[name] = readNumber(cell(name));
    return {
      day: readText(cell("day")) ?? "",
      server: readText(cell("server")) ?? "",
      method: readText(cell("method")) ?? "",
      tool: readText(cell("tool")),
      client: readText(cell("client")),
      model: readText(cell("model")),
      estimation: readEstimation(cell),
      sessions: readNumber(cell("sessions")),
      sums,
    };
  };
}

function readText(cell: Cell): string | null {
  return typeof cell === "string" ? cell : null;
}

function readNumber(cell: Cell): number {
  return typeof cell === "number" && cell > 0 ? cell : 0;
}

const estimationMethods = ["bpe", "bpe-scaled", "characters", "words"] as const;
const confidences = ["high", "medium", "low"] as const;

function readEstimation(cell: (name: string) => Cell): SummaryEstimation | null {
  const method = estimationMethods.find((name) => name === cell("estimation_method"));
  const confidence = confidences.find((name) => name === cell("confidence"));
  const estimator = readText(cell("estimator"));
  if (estimator === null || method === undefined || confidence === undefined) return null;
  return {
    estimator,
    method,
    encoding: readText(cell("estimation_encoding")) ?? "",
    error: readText(cell("estimation_error")) ?? "",
    confidence,
    is_estimated: cell("is_estimated") !== false,
  };
}

export const pruneSentences = {
  totalsUnreadable: (file: string, fault: string) =>
    `Cannot read the totals "${file}": ${describeReason(fault)}; move the file away to start new totals`,
  totalsUnwritable: (file: string, reason: string) =>
    `Cannot write "${file}": ${describeReason(reason)}; the remaining files were not removed`,
  totalsFull: (file: string) =>
    `Cannot add to the totals "${file}": they have too many rows; move the file away to start new totals`,
  pruneBusy: (file: string) =>
    `Cannot remove files: another process is removing files, or "${file}" cannot be locked`,
} as const;
