import { Database } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { type Hold, type Counter, type CounterStore, windowAt } from "#budgets/counter.ts";
import type { StoredCounter } from "#budgets/counter-status.ts";
import { codeOf } from "#os/system-error.ts";

/**
 * Milliseconds another meter's transaction is waited for: the traffic waits along. A transaction takes a
 * fraction of one; who holds the file longer has stopped in the middle of it.
 */
const busyMaxMs = 1_000;

/** Pages of 4 KiB that may wait in the write-ahead log: 16 MiB. */
const pagesPerCheckpoint = 4_096;

/** Milliseconds a hold lasts unless it is renewed; what a killed meter held comes back after that. */
export const leaseMs = 60_000;

/** How often holds are renewed. */
export const renewEveryMs = 20_000;

/** Days a counter is remembered after its last window. */
const keptMs = 40 * 86_400_000;

/** What was taken of a counter at a time. */
export type Known = { readonly counter: Counter; readonly nowMs: number; readonly taken: number };

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

/**
 * Counters of minutes, hours and days, shared by all meters of a user through one SQLite file: each change
 * is one transaction, so eight meters at once never exceed a limit, and what a killed meter held comes
 * back when its lease ends. Throws when the file cannot be opened.
 */
export class SqliteCounters implements CounterStore {
  readonly #database: Database;
  readonly #holder: string;
  readonly #now: () => number;
  #ids = 0;
  /** What this meter knows last of each counter it used. */
  readonly known = new Map<string, Known>();

  constructor(path: string, holder: string, now: () => number = Date.now) {
    // SQLite makes its files as readable as this one.
    closeSync(openSync(path, "a", 0o600));
    this.#database = new Database(path, { create: true, strict: true });
    this.#holder = holder;
    this.#now = now;
    this.#database.run(`PRAGMA busy_timeout = ${busyMaxMs}`);
    patiently(() => this.#database.run("PRAGMA journal_mode = WAL"));
    this.#database.run("PRAGMA synchronous = NORMAL");
    // A checkpoint waits for the disk: seldom enough not to be felt in one call of a hundred.
    this.#database.run(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
    this.#change(() => {
      this.#database.run(schema);
      this.#forget();
    });
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    return this.#change(() => {
      const { window, spent } = this.#open(counter, nowMs);
      const taken = spent + this.#held(counter.key, window);
      const fits = isForced || taken + amount <= counter.limit;
      this.#know(counter, nowMs, fits ? taken + amount : taken);
      if (!fits) return undefined;
      this.#ids += 1;
      const id = this.#ids;
      this.#insert(id, counter.key, window, amount);
      return { counter, window, amount, isSpent: false, id };
    });
  }

  resize(hold: Hold, amount: number, nowMs: number, isForced: boolean, isSpent = false): boolean {
    return this.#change(() => {
      const { counter, id } = hold;
      const { window, spent } = this.#open(counter, nowMs);
      const ownSpent = hold.isSpent && hold.window === window ? hold.amount : 0;
      const others = spent - ownSpent + this.#held(counter.key, window, id);
      if (!isForced && others + amount > counter.limit) return false;
      this.#delete(id);
      this.#spend(counter.key, window, (isSpent ? amount : 0) - ownSpent);
      // A lease that has ended is taken anew: the call is still open.
      if (!isSpent) this.#insert(id, counter.key, window, amount);
      this.#know(counter, nowMs, others + amount);
      Object.assign(hold, { window, amount, isSpent });
      return true;
    });
  }

  settle(hold: Hold, amount: number): void {
    this.#change(() => {
      const { counter, window, isSpent } = hold;
      if (!isSpent) this.#delete(hold.id);
      this.#spend(counter.key, window, isSpent ? amount - hold.amount : amount);
      const known = this.known.get(counter.key);
      if (known) this.#know(counter, known.nowMs, known.taken + amount - hold.amount);
      Object.assign(hold, { amount, isSpent: true });
    });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  taken(counter: Counter, nowMs: number): number {
    const now = windowAt(counter.per, nowMs);
    const { window, spent } = this.#find(counter.key) ?? { window: now, spent: 0 };
    return window < now ? 0 : spent + this.#held(counter.key, window);
  }

  /** Makes the holds of this meter last for another lease, and forgets what nobody needs. */
  renew(): void {
    this.#change(() => {
      this.#database
        .query("UPDATE holds SET ends_ms = ?1 WHERE holder = ?2")
        .run(this.#now() + leaseMs, this.#holder);
      this.#forget();
    });
  }

  /** Every counter of this machine, with what is left of its last window. */
  list(): StoredCounter[] {
    const rows = this.#database
      .query<{ key: string; per: string; most: number; window: number; spent: number }, []>(
        "SELECT key, per, most, window, spent FROM counters ORDER BY key",
      )
      .all();
    return rows.map(({ key, per, most, window, spent }) => {
      return { key, per, limit: most, window, spent, held: this.#held(key, window) };
    });
  }

  /** Empties the counters that `choose` picks by key; returns how many. */
  reset(choose: (key: string) => boolean): number {
    const keys = this.list()
      .map(({ key }) => key)
      .filter(choose);
    this.#change(() => {
      for (const key of keys) {
        this.#database.query("DELETE FROM counters WHERE key = ?1").run(key);
        this.#database.query("DELETE FROM holds WHERE key = ?1").run(key);
      }
    });
    return keys.length;
  }

  close(): void {
    this.#database.query("DELETE FROM holds WHERE holder = ?1").run(this.#holder);
    this.#database.close();
  }

  /** One transaction that writes from the start, so that no other meter decides in between. */
  #change<Result>(act: () => Result): Result {
    return this.#database.transaction(act).immediate();
  }

  /** The counter's row, begun anew when its window has passed; written only when it changes. */
  #open({ key, per, limit }: Counter, nowMs: number): Row {
    const window = windowAt(per, nowMs);
    const known = this.#find(key);
    if (known && known.window >= window && known.most === limit) return known;
    const isOver = !known || known.window < window;
    const row = {
      most: limit,
      window: isOver ? window : known.window,
      spent: isOver ? 0 : known.spent,
    };
    this.#database
      .query(
        `INSERT OR REPLACE INTO counters (key, per, most, window, spent, touched_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
      )
      .run(key, per, limit, row.window, row.spent, this.#now());
    return row;
  }

  #find(key: string): Row | null {
    return this.#database
      .query<Row, [string]>("SELECT most, window, spent FROM counters WHERE key = ?1")
      .get(key);
  }

  /** Held of a window, without one hold of ours. */
  #held(key: string, window: number, without = 0): number {
    const row = this.#database
      .query<{ held: number | null }, [string, number, string, number, number]>(
        `SELECT sum(amount) AS held FROM holds WHERE key = ?1 AND window = ?2 AND ends_ms >= ?5
         AND NOT (holder = ?3 AND id = ?4)`,
      )
      .get(key, window, this.#holder, without, this.#now());
    return row?.held ?? 0;
  }

  #spend(key: string, window: number, amount: number): void {
    if (amount === 0) return;
    this.#database
      .query(
        "UPDATE counters SET spent = max(0, spent + ?1), touched_ms = ?2 WHERE key = ?3 AND window = ?4",
      )
      .run(amount, this.#now(), key, window);
  }

  #insert(id: number, key: string, window: number, amount: number): void {
    this.#database
      .query(
        "INSERT INTO holds (holder, id, key, window, amount, ends_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      )
      .run(this.#holder, id, key, window, amount, this.#now() + leaseMs);
  }

  #know(counter: Counter, nowMs: number, taken: number): void {
    this.known.set(counter.key, { counter, nowMs, taken });
  }

  #forget(): void {
    this.#database.query("DELETE FROM holds WHERE ends_ms < ?1").run(this.#now());
    this.#database.query("DELETE FROM counters WHERE touched_ms < ?1").run(this.#now() - keptMs);
  }

  #delete(id: number): void {
    this.#database.query("DELETE FROM holds WHERE holder = ?1 AND id = ?2").run(this.#holder, id);
  }
}

type Row = { readonly most: number; readonly window: number; readonly spent: number };

/** Changing the journal does not wait for other meters by itself. */
function patiently(act: () => void): void {
  const deadlineMs = performance.now() + busyMaxMs;
  for (;;) {
    try {
      act();
      return;
    } catch (error) {
      if (!codeOf(error).startsWith("SQLITE_BUSY") || performance.now() > deadlineMs) throw error;
      Bun.sleepSync(5);
    }
  }
}
