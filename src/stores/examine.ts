import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { storeBusyMaxMs } from "#limits/budgets.ts";
import { errorCode } from "#os/error-code.ts";
import { countersFile } from "./index.ts";
import { layout } from "./sqlite-tables.ts";
import { StoreFile } from "./store-file.ts";

export type StoreState =
  | { readonly kind: "absent" }
  | { readonly kind: "usable"; readonly counters: number; readonly layout: number }
  | { readonly kind: "busy" }
  | { readonly kind: "unusable"; readonly fault: string };

/** Opens the counters as a meter does, and changes nothing. */
export function examineStore(folder: string): StoreState {
  const path = join(folder, countersFile);
  if (!existsSync(path)) return { kind: "absent" };
  try {
    return examine(new StoreFile(path).path);
  } catch (error) {
    const fault = errorCode(error);
    return fault.startsWith("SQLITE_BUSY") ? { kind: "busy" } : { kind: "unusable", fault };
  }
}

function examine(path: string): StoreState {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${storeBusyMaxMs}`);
    database.run("BEGIN IMMEDIATE");
    database.run("ROLLBACK");
    const version = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    const found = version?.user_version ?? 0;
    if (found === 0) return { kind: "usable", counters: 0, layout };
    if (found !== layout) {
      return { kind: "unusable", fault: "another version of mcp-meter has written it" };
    }
    const rows = database
      .query<{ count: number }, []>("SELECT count(*) AS count FROM counters")
      .get();
    return { kind: "usable", counters: rows?.count ?? 0, layout };
  } finally {
    database.close();
  }
}
