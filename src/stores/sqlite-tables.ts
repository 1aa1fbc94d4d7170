import { storeBusyMaxMs, storeLogPagesMax } from "#limits.ts";
import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import type { Counter } from "#budgets/counter.ts";
import { errorCode } from "#os/error-code.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS counters (
    key TEXT PRIMARY KEY, per TEXT NOT NULL, most INTEGER NOT NULL,
    window INTEGER NOT NULL, spent INTEGER NOT NULL, touched_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS holds (
    holder TEXT NOT NULL, id INTEGER NOT NULL, key TEXT NOT NULL, window INTEGER NOT NULL,
    amount INTEGER NOT NULL, ends_ms INTEGER NOT NULL, PRIMARY KEY (holder, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS holds_by_key ON holds (key, window);
`;

/** A counter as a row; `most` is its limit. */
export type CounterRow = {
  readonly key: string;
  readonly per: string;
  readonly most: number;
  readonly window: number;
  readonly spent: number;
};

/** One hold of one holder. */
export type HoldKey = { readonly holder: string; readonly id: number };

/**
 * The two tables of the counters file and the statements on them. Does not decide anything. Every method throws
 * when SQLite fails; the constructor throws when the file cannot be opened.
 */
export class SqliteTables {
  readonly #database: Database;

  constructor(path: string) {
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(path, "a", 0o600));
    this.#database = new Database(path, { create: true, strict: true });
    this.#database.run(`PRAGMA busy_timeout = ${storeBusyMaxMs}`);
    retryWhileBusy(() => this.#database.run("PRAGMA journal_mode = WAL"));
    this.#database.run("PRAGMA synchronous = NORMAL");
    // A checkpoint waits for the disk, so it must be too rare to show in one call of a hundred.
    this.#database.run(`PRAGMA wal_autocheckpoint = ${storeLogPagesMax}`);
    this.transaction(() => this.#database.run(schema));
  }

  /** Runs `act` in a transaction that writes from the start, so that no other meter decides in between. */
  transaction<Result>(act: () => Result): Result {
    return this.#database.transaction(act).immediate();
  }

  counter(key: string): CounterRow | undefined {
    const row = this.#database
      .query<CounterRow, [string]>(
        "SELECT key, per, most, window, spent FROM counters WHERE key = ?1",
      )
      .get(key);
    return row ?? undefined;
  }

  counters(): CounterRow[] {
    return this.#database
      .query<CounterRow, []>("SELECT key, per, most, window, spent FROM counters ORDER BY key")
      .all();
  }

  putCounter({ key, per, most, window, spent }: CounterRow, nowMs: number): void {
    this.#database
      .query(
        `INSERT OR REPLACE INTO counters (key, per, most, window, spent, touched_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
      )
      .run(key, per, most, window, spent, nowMs);
  }

  /** Adds to the spent amount of a counter, if its window is still this one. */
  addSpent({ key }: Counter, window: number, amount: number, nowMs: number): void {
    if (amount === 0) return;
    this.#database
      .query(
        "UPDATE counters SET spent = max(0, spent + ?1), touched_ms = ?2 WHERE key = ?3 AND window = ?4",
      )
      .run(amount, nowMs, key, window);
  }

  deleteCounter(key: string): void {
    this.#database.query("DELETE FROM counters WHERE key = ?1").run(key);
    this.#database.query("DELETE FROM holds WHERE key = ?1").run(key);
  }

  deleteUntouched(sinceMs: number): void {
    this.#database.query("DELETE FROM counters WHERE touched_ms < ?1").run(sinceMs);
  }

  /** The sum of the holds in a window of a counter that have not expired, `except` one. */
  held(key: string, window: number, nowMs: number, except?: HoldKey): number {
    const row = this.#database
      .query<{ held: number | null }, [string, number, number, string, number]>(
        `SELECT sum(amount) AS held FROM holds WHERE key = ?1 AND window = ?2 AND ends_ms >= ?3
         AND NOT (holder = ?4 AND id = ?5)`,
      )
      .get(key, window, nowMs, except?.holder ?? "", except?.id ?? 0);
    return row?.held ?? 0;
  }

  insertHold(
    { holder, id }: HoldKey,
    {
      key,
      window,
      amount,
      endsMs,
    }: { key: string; window: number; amount: number; endsMs: number },
  ): void {
    this.#database
      .query(
        "INSERT INTO holds (holder, id, key, window, amount, ends_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      )
      .run(holder, id, key, window, amount, endsMs);
  }

  deleteHold({ holder, id }: HoldKey): void {
    this.#database.query("DELETE FROM holds WHERE holder = ?1 AND id = ?2").run(holder, id);
  }

  deleteHoldsOf(holder: string): void {
    this.#database.query("DELETE FROM holds WHERE holder = ?1").run(holder);
  }

  deleteExpiredHolds(nowMs: number): void {
    this.#database.query("DELETE FROM holds WHERE ends_ms < ?1").run(nowMs);
  }

  extendHoldsOf(holder: string, endsMs: number): void {
    this.#database.query("UPDATE holds SET ends_ms = ?1 WHERE holder = ?2").run(endsMs, holder);
  }

  close(): void {
    this.#database.close();
  }
}

/** The statement that changes the journal does not wait for other meters by itself. */
function retryWhileBusy(act: () => void): void {
  const deadlineMs = performance.now() + storeBusyMaxMs;
  for (;;) {
    try {
      act();
      return;
    } catch (error) {
      if (!errorCode(error).startsWith("SQLITE_BUSY") || performance.now() > deadlineMs)
        throw error;
      Bun.sleepSync(5);
    }
  }
}
