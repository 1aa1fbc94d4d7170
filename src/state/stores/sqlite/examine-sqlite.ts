import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { Amounts } from "../apply-change.ts";
import { countersFile } from "../index.ts";
import { hasTables, layout, checkSound, storeBusyMaxMs } from "./sqlite-tables.ts";
import { SqliteFile } from "./sqlite-file.ts";

export type StoreState =
  | { readonly kind: "absent" }
  | { readonly kind: "usable"; readonly counters: number; readonly layout: number }
  | { readonly kind: "busy" }
  | { readonly kind: "unusable"; readonly fault: string };

// Opens the counters as a meter does, but changes nothing.
export function examineStore(folder: string): StoreState {
  const path = join(folder, countersFile);
  if (!existsSync(path)) return { kind: "absent" };
  try {
    return examine(new SqliteFile(path).path);
  } catch (error) {
    const fault = readErrorCode(error);
    return fault.startsWith("SQLITE_BUSY") ? { kind: "busy" } : { kind: "unusable", fault };
  }
}

function examine(path: string): StoreState {
  using database = new Database(path, { readwrite: true, strict: true });
  database.run(`PRAGMA busy_timeout = ${storeBusyMaxMs}`);
  // Fails if another process holds the write lock.
  database.run("BEGIN IMMEDIATE");
  database.run("ROLLBACK");
  if (!hasTables(database)) return { kind: "usable", counters: 0, layout };
  const rows = database.query<Amounts, []>("SELECT window, spent, held FROM counters");
  let counters = 0;
  for (const row of rows.iterate()) {
    checkSound(row);
    counters += 1;
  }
  return { kind: "usable", counters, layout };
}
