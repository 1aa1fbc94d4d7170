import { storeCommitPauseMaxMs, storeRetryPauseMaxMs, LockWait } from "./lock-waits.ts";
import { constants, Database } from "bun:sqlite";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { Amounts, Share } from "../apply-change.ts";
import { lstatSync } from "node:fs";
import { pathToFileURL } from "node:url";

// No memory mapping: with it, truncating the file would kill the process.
// No disk sync: only a crash of the machine, not of the process, can lose committed writes or damage the file.
const settings = [
  "PRAGMA mmap_size = 0",
  "PRAGMA synchronous = OFF",
  "PRAGMA journal_mode = PERSIST",
];

type CounterRow = Amounts & {
  readonly key: string;
  readonly per: string;
  // The limit. It is not named `limit`, because that is a keyword in SQL.
  readonly most: number;
  readonly action: string;
};

// Not only a pid, because pids are reused.
export type ProcessIdentity = {
  readonly pid: number;
  readonly started: string;
  // The boot and the process namespace in which `pid` is valid.
  readonly space: string;
};

export type HolderRow = ProcessIdentity & {
  readonly holder: string;
  readonly ends_ms: number;
};

export type ShareRow = Share & { readonly key: string; readonly holder: string };

const counterColumns = "key, per, most, action, window, spent, held";

// Every method throws if SQLite fails.
export class SqliteTables {
  busyMaxMs: number;
  readonly #path: string;
  readonly #database: Database;

  constructor(path: string, busyMaxMs: number) {
    this.#path = path;
    this.busyMaxMs = busyMaxMs;
    this.#database = new Database(path, { readwrite: true, strict: true });
    try {
      for (const setting of settings) this.retryWhileBusy(() => this.#run(setting));
      const isNew = this.retryWhileBusy(() => !hasTables(this.#database));
      if (isNew) {
        this.transaction(() => {
          // Another meter may have created the tables meanwhile.
          if (!hasTables(this.#database)) this.#run(schema);
        });
      }
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  // Takes the write lock before `act` runs, so that no other meter writes between the reads and the writes of `act`.
  transaction<Result>(act: () => Result): Result {
    return this.retryWhileBusy(() => {
      this.#run("BEGIN IMMEDIATE");
      try {
        const result = act();
        // The commit waits for the current readers. SQLite lets no new readers in until the commit is done.
        this.retryWhileBusy(() => this.#run("COMMIT"), storeCommitPauseMaxMs);
        return result;
      } catch (error) {
        if (this.#database.inTransaction) this.#run("ROLLBACK");
        throw error;
      }
    });
  }

  // Waits about `busyMaxMs` for a stuck lock, and longer while other meters write.
  retryWhileBusy<Result>(act: () => Result, pauseMaxMs = storeRetryPauseMaxMs): Result {
    const wait = new LockWait(this.#path, this.busyMaxMs);
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!readErrorCode(error).startsWith("SQLITE_BUSY") || wait.isStuck()) throw error;
        // Random, so that two waiting meters do not wake at the same time again.
        Bun.sleepSync(Math.random() * Math.min(pauseMaxMs, wait.tries));
      }
    }
  }

  readCounter(key: string): CounterRow | undefined {
    const row = this.#database
      .query<CounterRow, [string]>(`SELECT ${counterColumns} FROM counters WHERE key = ?1`)
      .get(key);
    return row ? checkSound(row) : undefined;
  }

  listCounters(): CounterRow[] {
    return this.#database
      .query<CounterRow, []>(`SELECT ${counterColumns} FROM counters ORDER BY key`)
      .all()
      .map(checkSound);
  }

  putCounter({ key, per, most, action, window, spent, held }: CounterRow, nowMs: number): void {
    this.#database
      .query(
        `INSERT OR REPLACE INTO counters (${counterColumns}, touched_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
      )
      .run(key, per, most, action, window, spent, held, nowMs);
  }

  deleteCounter(key: string): void {
    this.#database.query("DELETE FROM counters WHERE key = ?1").run(key);
    this.#database.query("DELETE FROM shares WHERE key = ?1").run(key);
  }

  deleteUntouched(sinceMs: number): void {
    this.#database.query("DELETE FROM counters WHERE touched_ms < ?1").run(sinceMs);
    this.#database.query("DELETE FROM servers WHERE touched_ms < ?1").run(sinceMs);
  }

  putServer(owner: string, name: string, nowMs: number): void {
    this.#database
      .query("INSERT OR REPLACE INTO servers (owner, name, touched_ms) VALUES (?1, ?2, ?3)")
      .run(owner, name, nowMs);
  }

  listServers(): ReadonlyMap<string, string> {
    const rows = this.#database
      .query<{ owner: string; name: string }, []>("SELECT owner, name FROM servers")
      .all();
    return new Map(rows.map(({ owner, name }) => [owner, name]));
  }

  readShare(key: string, holder: string): Share | undefined {
    const row = this.#database
      .query<Share, [string, string]>(
        "SELECT window, held, pledged FROM shares WHERE key = ?1 AND holder = ?2",
      )
      .get(key, holder);
    return row ? checkSound(row) : undefined;
  }

  listCounterShares(key: string): ShareRow[] {
    return this.#shares("key", key);
  }

  listHolderShares(holder: string): ShareRow[] {
    return this.#shares("holder", holder);
  }

  putShare({ key, holder, window, held, pledged }: ShareRow): void {
    this.#database
      .query(
        `INSERT OR REPLACE INTO shares (key, holder, window, held, pledged)
         VALUES (?1, ?2, ?3, ?4, ?5)`,
      )
      .run(key, holder, window, held, pledged);
  }

  deleteShare({ key, holder }: Pick<ShareRow, "key" | "holder">): void {
    this.#database.query("DELETE FROM shares WHERE key = ?1 AND holder = ?2").run(key, holder);
  }

  listHolders(): HolderRow[] {
    return this.#database.query<HolderRow, []>("SELECT * FROM holders").all();
  }

  putHolder({ holder, pid, started, space, ends_ms }: HolderRow): void {
    this.#database
      .query(
        `INSERT OR REPLACE INTO holders (holder, pid, started, space, ends_ms)
         VALUES (?1, ?2, ?3, ?4, ?5)`,
      )
      .run(holder, pid, started, space, ends_ms);
  }

  deleteHolder(holder: string): void {
    this.#database.query("DELETE FROM holders WHERE holder = ?1").run(holder);
  }

  close(): void {
    this.#database.close();
  }

  #run(statement: string): void {
    this.#database.run(statement);
  }

  // Leaves out damaged rows. Their amounts stay held in the counter until its next window.
  #shares(column: "key" | "holder", value: string): ShareRow[] {
    return this.#database
      .query<ShareRow, [string]>(`SELECT * FROM shares WHERE ${column} = ?1`)
      .all(value)
      .filter(isSound);
  }
}

export const layout = 3;

const tables = {
  counters: `CREATE TABLE counters (
    key TEXT PRIMARY KEY, per TEXT NOT NULL, most INTEGER NOT NULL, action TEXT NOT NULL,
    window INTEGER NOT NULL, spent INTEGER NOT NULL, held INTEGER NOT NULL, touched_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
  shares: `CREATE TABLE shares (
    key TEXT NOT NULL, holder TEXT NOT NULL, window INTEGER NOT NULL, held INTEGER NOT NULL,
    pledged INTEGER NOT NULL, PRIMARY KEY (key, holder)
  ) WITHOUT ROWID`,
  holders: `CREATE TABLE holders (
    holder TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, space TEXT NOT NULL,
    ends_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
  servers: `CREATE TABLE servers (
    owner TEXT PRIMARY KEY, name TEXT NOT NULL, touched_ms INTEGER NOT NULL
  ) WITHOUT ROWID`,
};

const schema = `${Object.values(tables).join(";")}; PRAGMA user_version = ${layout}`;

const damagedContent = "its content is damaged";

// False if `user_version` is 0, as in a new file. Throws if the schema is not exactly ours: another program's views or
// triggers could keep a query running forever.
export function hasTables(database: Database): boolean {
  const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
  const version = row?.user_version ?? 0;
  if (version === 0) return false;
  if (version !== layout) throw new Error("it was written by another version of mcp-meter");
  if (listSchemaStatements(database).join() !== Object.values(tables).map(collapseSpaces).join())
    throw new Error(damagedContent);
  return true;
}

// Takes no lock, so it works while another process holds one.
export function peekAmounts(path: string): ReadonlyMap<string, Amounts> {
  if (!lstatSync(path).isFile()) throw new Error("it is not a regular file");
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  using database = new Database(`${pathToFileURL(path).href}?immutable=1`, flags);
  if (!listSchemaStatements(database).includes(collapseSpaces(tables.counters))) return new Map();
  const rows = database
    .query<Amounts & { key: string }, []>("SELECT key, window, spent, held FROM counters")
    .all();
  return new Map(rows.filter(isSound).map(({ key, ...amounts }) => [key, amounts]));
}

function listSchemaStatements(database: Database): readonly string[] {
  const rows = database.query<{ sql: string | null }, []>("SELECT sql FROM sqlite_schema").all();
  return rows.map(({ sql }) => collapseSpaces(sql ?? ""));
}

function collapseSpaces(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

type Numbers = Partial<Amounts & Share>;

export function checkSound<Row extends Numbers>(row: Row): Row {
  if (!isSound(row)) throw new Error(damagedContent);
  return row;
}

export function isSound({ window = 0, spent = 0, held = 0, pledged = 0 }: Numbers): boolean {
  return [window, spent, held, pledged].every(
    (amount) => Number.isSafeInteger(amount) && amount >= 0,
  );
}
