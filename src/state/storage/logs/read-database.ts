import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";
import type { LogQuery } from "#history/imports/importer.ts";
import { readErrorCode, findOwnershipFault } from "#kit/os/file-errors.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { GarbageCollector } from "../read-records.ts";
import {
  constants as fileConstants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const importGarbageBytesMax = 64 * 1024 * 1024;

const importRowsMax = 50_000_000;

const garbage = new GarbageCollector(importGarbageBytesMax);

type RowTaker = {
  takeRow(table: string, row: JsonObject): void;
  skip(rows: number): void;
  countUnknown(): void;
};

export function readDatabase(
  { path, isImmutable }: StableDatabase,
  queries: readonly LogQuery[],
  taker: RowTaker,
  rowsMax: number = importRowsMax,
): string | undefined {
  const access = isImmutable ? constants.SQLITE_OPEN_READONLY : constants.SQLITE_OPEN_READWRITE;
  const uri = `${pathToFileURL(path).href}${isImmutable ? "?immutable=1" : ""}`;
  let database: Database;
  try {
    database = new Database(uri, access | constants.SQLITE_OPEN_URI);
  } catch (error) {
    return readErrorCode(error);
  }
  try {
    const faults = queries.map((query) => readTable(database, query, taker, rowsMax));
    // One table is enough: the versions of a client have different tables.
    if (faults.includes(undefined)) return undefined;
    return faults.find((fault) => fault !== tablesMissing) ?? tablesMissing;
  } finally {
    database.close();
  }
}

const tablesMissing = "it contains none of the client's tables";

function readTable(
  database: Database,
  { table, sql }: LogQuery,
  taker: RowTaker,
  rowsMax: number,
): string | undefined {
  let rows = 0;
  try {
    if (!isTable(database, table)) {
      taker.countUnknown();
      return tablesMissing;
    }
    for (const row of database.query(sql).iterate()) {
      if (rows === rowsMax) {
        taker.skip(1);
        break;
      }
      rows += 1;
      if (!isObject(row)) continue;
      taker.takeRow(table, row);
      garbage.add(sumTextLength(row));
    }
    return undefined;
  } catch (error) {
    if (rows > 0) {
      // Keeps the rows that were read before the error.
      taker.skip(1);
      return undefined;
    }
    taker.countUnknown();
    const fault = readErrorCode(error);
    return fault === "SQLITE_ERROR" ? "it has an unknown format" : fault;
  }
}

// Reading a view or a virtual table would run code that the file chooses. SQLite writes `CREATE TABLE` for every plain
// table. Excluding `CREATE VIRTUAL` would not be enough: another program may write `CREATE/**/VIRTUAL TABLE`.
function isTable(database: Database, table: string): boolean {
  const row = database
    .query(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE%'",
    )
    .get(table);
  return row !== null && row !== undefined;
}

function sumTextLength(row: JsonObject): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    0,
  );
}

const importCopyBytesMax = 16 * 1024 * 1024 * 1024;

const importCopiesMax = 3;

// `isImmutable` is true for another program's file, because SQLite must not write next to it. It is false for our copy.
export type StableDatabase = { readonly path: string; readonly isImmutable: boolean };

// Without its `-wal` file, a database may lack changes; without its `-journal` file, it may hold half a change.
const changeFileSuffixes = ["-wal", "-journal"];

// Leaves no trace next to another program's file. If the file changes during `read`, `read` runs again with a copy.
export function readStable<Result>(
  path: string,
  read: (database: StableDatabase) => Result,
): Result | { readonly fault: string } {
  try {
    const before = readVersion(path);
    if (!hasChanges(path)) {
      const result = read({ path, isImmutable: true });
      if (readVersion(path) === before && !hasChanges(path)) return result;
    }
    return readCopy(path, read);
  } catch (error) {
    return { fault: readErrorCode(error) };
  }
}

function readVersion(path: string): string {
  const main = statSync(path, { bigint: true });
  const changeStats = changeFileSuffixes.map((suffix) =>
    statSync(path + suffix, { throwIfNoEntry: false, bigint: true }),
  );
  return [main, ...changeStats]
    .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : ""))
    .join("\n");
}

function hasChanges(path: string): boolean {
  return changeFileSuffixes.some(
    (suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

function readCopy<Result>(
  path: string,
  read: (database: StableDatabase) => Result,
): Result | { readonly fault: string } {
  if (statSync(path).size > importCopyBytesMax) {
    return { fault: "its client may have it open, and it is too large to copy" };
  }
  if (findOwnershipFault(tmpdir(), true) !== undefined)
    return { fault: "other users could replace files in the folder for temporary files" };
  const folder = mkdtempSync(join(tmpdir(), "mcp-meter-"));
  try {
    const copy = join(folder, "copy.db");
    for (let attempt = 0; attempt < importCopiesMax; attempt += 1) {
      const before = readVersion(path);
      copyAll(path, copy);
      if (readVersion(path) === before) break;
    }
    // A busy client may have changed the files during every copy. SQLite then ignores the unfinished end of `-wal`.
    return read({ path: copy, isImmutable: false });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyAll(path: string, copy: string): void {
  for (const suffix of ["", ...changeFileSuffixes]) {
    rmSync(copy + suffix, { force: true });
    if (suffix !== "" && !existsSync(path + suffix)) continue;
    copyFileSync(path + suffix, copy + suffix, fileConstants.COPYFILE_FICLONE);
  }
}
