import { join } from "node:path";
import { sentences, UserError } from "#errors.ts";
import { totalsBytesMax } from "#limits.ts";
import { readWholeFile } from "#os/named-file.ts";
import { replaceFile } from "#os/replace-file.ts";
import { noSums, type Sums } from "#reports/sums.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { validated } from "#text/validation.ts";
import { validate } from "../../../dist/validators/day-totals.js";
import type { DayTotal } from "./day-totals.ts";

/** The layout of the file. */
const format = "day-totals/1";

const facts = [
  "day",
  "server",
  "method",
  "tool",
  "client",
  "model",
  "estimator",
  "is_estimated",
] as const;

type SumName = keyof Sums;

const sumNames = Object.keys(noSums()).filter((name): name is SumName => name in noSums());

/** The columns of a row, in their order. */
const columns = [...facts, "sessions", ...sumNames];

/** The file by day-totals.schema.json. */
export type TotalsFile = {
  readonly format: string;
  readonly zone: string;
  readonly removing: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
};

/** The totals of sessions whose records were removed. */
export type SavedTotals = {
  /** IANA name of the time zone of the days. */
  readonly zone: string;
  /** Record files that are in the totals and are being removed: they count no more. Paths from the state folder. */
  readonly removing: readonly string[];
  readonly totals: readonly DayTotal[];
};

/** Path of the file in a state folder. */
export function totalsPath(stateFolder: string): string {
  return join(stateFolder, "day-totals.json");
}

/** The totals in a state folder; undefined when there are none. Throws UserError for a file that cannot be read. */
export function readTotals(stateFolder: string): SavedTotals | undefined {
  const path = totalsPath(stateFolder);
  const content = readWholeFile(path, totalsBytesMax);
  if ("fault" in content) {
    if (content.fault === "ENOENT") return undefined;
    throw new UserError(sentences.totalsUnreadable(path, content.fault));
  }
  const read = validated(parsed(content.bytes), validate);
  if ("fault" in read) throw new UserError(sentences.totalsUnreadable(path, read.fault));
  const { zone, removing, columns: names, rows } = read.value;
  if (!isZone(zone))
    throw new UserError(sentences.totalsUnreadable(path, "zone is not a time zone"));
  return { zone, removing, totals: rows.map((row) => totalFrom(names, row)) };
}

/** Replaces the file as a whole, with mode 0600. Throws UserError. */
export function writeTotals(stateFolder: string, { zone, removing, totals }: SavedTotals): void {
  const file: TotalsFile = { format, zone, removing, columns, rows: totals.map(rowOf) };
  const path = totalsPath(stateFolder);
  const fault = replaceFile(path, `${JSON.stringify(file)}\n`);
  if (fault !== undefined) throw new UserError(sentences.totalsUnwritable(path, fault));
}

function isZone(name: string): boolean {
  try {
    return new TimeZone(name).name !== "";
  } catch {
    return false;
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function rowOf({ sums, ...total }: DayTotal): TotalsFile["rows"][number] {
  return [
    ...facts.map((name) => total[name]),
    total.sessions,
    ...sumNames.map((name) => sums[name]),
  ];
}

/** Columns that an older version did not have count as 0, and those of a newer one are dropped. */
function totalFrom(names: readonly string[], row: TotalsFile["rows"][number]): DayTotal {
  const cell = (name: string): string | number | boolean | null => row[names.indexOf(name)] ?? null;
  const text = (name: string): string | null => {
    const value = cell(name);
    return typeof value === "string" ? value : null;
  };
  const number = (name: string): number => Number(cell(name) ?? 0);
  const sums = noSums();
  for (const name of sumNames) sums[name] = number(name);
  return {
    day: text("day") ?? "",
    server: text("server") ?? "",
    method: text("method") ?? "",
    tool: text("tool"),
    client: text("client"),
    model: text("model"),
    estimator: text("estimator"),
    is_estimated: cell("is_estimated") !== false,
    sessions: number("sessions"),
    sums,
  };
}
