import { statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "#kit/errors.ts";
import { readWholeFile } from "#kit/os/named-file.ts";
import { replaceFile } from "#kit/os/replace-file.ts";
import { TimeZone } from "#history/reports/time-zone.ts";
import type { DayTotal } from "#history/reports/totals/day-totals.ts";
import { placesIn } from "#kit/text/source-tree.ts";
import { validated } from "#kit/text/validation.ts";
import { validate } from "../../../../dist/validators/day-totals.js";
import { parseJson } from "#kit/syntax/jsonc.ts";
import { totalsColumns, type TotalsRow, totalsReader, totalsRow } from "./totals-rows.ts";
import { pruneSentences } from "./sentences.ts";

const totalsBytesMax = 128 * 1024 * 1024;

const format = "day-totals/1";

export type TotalsFile = {
  readonly format: string;
  readonly zone: string;
  readonly removing: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly TotalsRow[];
};

export type SavedTotals = {
  readonly zone: TimeZone;
  readonly removing: readonly string[];
  readonly totals: readonly DayTotal[];
};

export function totalsPath(stateFolder: string): string {
  return join(stateFolder, "day-totals.json");
}

export function readTotals(stateFolder: string): SavedTotals | undefined {
  const path = totalsPath(stateFolder);
  const content = readWholeFile(path, totalsBytesMax);
  if ("fault" in content) {
    if (content.fault === "ENOENT") return undefined;
    throw new UserError(pruneSentences.totalsUnreadable(path, content.fault));
  }
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parsedJson(text);
  if ("fault" in parsed) throw new UserError(pruneSentences.totalsUnreadable(path, parsed.fault));
  const read = validated(parsed.value, validate);
  if ("fault" in read) throw new UserError(pruneSentences.totalsUnreadable(path, read.fault));
  const { zone, removing, columns: names, rows } = read.value;
  return { zone: zoneNamed(zone, path), removing, totals: rows.map(totalsReader(names)) };
}

export function totalsVersion(stateFolder: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(totalsPath(stateFolder));
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return "";
  }
}

function zoneNamed(name: string, path: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch {
    throw new UserError(pruneSentences.totalsUnreadable(path, "zone is not a time zone"));
  }
}

export function writeTotals(stateFolder: string, { zone, removing, totals }: SavedTotals): void {
  const rows = totals.map(totalsRow);
  const file: TotalsFile = { format, zone: zone.name, removing, columns: totalsColumns, rows };
  const path = totalsPath(stateFolder);
  const fault = replaceFile(path, `${JSON.stringify(file)}\n`);
  if (fault !== undefined) throw new UserError(pruneSentences.totalsUnwritable(path, fault));
}

/** The parser that knows the line of a fault is slow, and files have megabytes. */
function parsedJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const read = parseJson(text);
    if (!("fault" in read)) return { value: read.value };
    return { fault: `line ${placesIn(text)(read.offset).line}: ${read.fault}` };
  }
}
