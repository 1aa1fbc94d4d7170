import { constants, Database } from "bun:sqlite";
import { lstatSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Amounts } from "../apply-change.ts";
import { hasCountersTable, isSound } from "./sqlite-tables.ts";

// Takes no lock, so it works while another process holds one. Throws if the file cannot be read.
export function peekAmounts(path: string): ReadonlyMap<string, Amounts> {
  if (!lstatSync(path).isFile()) throw new Error("it is not a regular file");
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  using database = new Database(`${pathToFileURL(path).href}?immutable=1`, flags);
  if (!hasCountersTable(database)) return new Map();
  const rows = database
    .query<Amounts & { key: string }, []>("SELECT key, window, spent, held FROM counters")
    .all();
  return new Map(rows.filter(isSound).map(({ key, ...amounts }) => [key, amounts]));
}
