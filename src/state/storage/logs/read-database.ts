import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";
import { importGarbageBytesMax } from "../../limits.ts";
import type { LogQuery } from "#history/imports/importer.ts";
import { errorCode } from "#kit/os/error-code.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { GarbageCount } from "../garbage-count.ts";
import type { StableDatabase } from "./stable-database.ts";

// Years of use have some million.
const importRowsMax = 50_000_000;

const garbage = new GarbageCount(importGarbageBytesMax);

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
    return errorCode(error);
  }
  try {
    const faults = queries.map((query) => readTable(database, query, taker, rowsMax));
    const isRead = faults.includes(undefined);
    return isRead ? undefined : (faults[0] ?? "it has none of the tables of its client");
  } finally {
    database.close();
  }
}

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
      return "it has none of the tables of its client";
    }
    for (const row of database.query(sql).iterate()) {
      if (rows === rowsMax) {
        taker.skip(1);
        break;
      }
      rows += 1;
      if (!isObject(row)) continue;
      taker.takeRow(table, row);
      garbage.add(textLength(row));
    }
    return undefined;
  } catch (error) {
    const fault = errorCode(error);
    // Damage in the middle: the rows before it count.
    if (rows > 0) taker.skip(1);
    else taker.countUnknown();
    return rows > 0 ? undefined : fault === "SQLITE_ERROR" ? "it has another form" : fault;
  }
}

/** The rows of a view or a virtual table would be made by code that the file names. */
function isTable(database: Database, table: string): boolean {
  const found = database
    .query(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .get(table);
  return found !== null && found !== undefined;
}

function textLength(row: JsonObject): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    0,
  );
}
