import { Database } from "bun:sqlite";
import { type Hold, type Purse, type PurseBook, windowAt } from "#meter/purse.ts";

/** Milliseconds another meter's transaction is waited for: the traffic waits along. */
const busyMaxMs = 250;

/** Milliseconds a hold lasts unless it is renewed; what a killed meter held comes back after that. */
export const leaseMs = 60_000;

/** How often holds are renewed. */
export const renewEveryMs = 20_000;

/** Days a purse is remembered after its last window. */
const keptMs = 40 * 86_400_000;

/** A purse as it stands on this machine. */
export type StoredPurse = {
  readonly key: string;
  readonly per: string;
  readonly limit: number;
  readonly window: number;
  readonly spent: number;
  readonly held: number;
};

const schema = `
  CREATE TABLE IF NOT EXISTS purses (
    key TEXT PRIMARY KEY, per TEXT NOT NULL, most INTEGER NOT NULL,
    window INTEGER NOT NULL, spent INTEGER NOT NULL, touched_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS holds (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, window INTEGER NOT NULL,
    amount INTEGER NOT NULL, holder TEXT NOT NULL, ends_ms INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS holds_by_key ON holds (key, window);
`;

/**
 * Purses of minutes, hours and days, shared by all meters of a user through one SQLite file: each change
 * is one transaction, so eight meters at once never exceed a limit, and what a killed meter held comes
 * back when its lease ends. Throws when the file cannot be opened.
 */
export class PurseStore implements PurseBook {
  readonly #database: Database;
  readonly #holder: string;
  readonly #now: () => number;

  constructor(path: string, holder: string, now: () => number = Date.now) {
    this.#database = new Database(path, { create: true, strict: true });
    this.#holder = holder;
    this.#now = now;
    this.#database.run(`PRAGMA busy_timeout = ${busyMaxMs}`);
    this.#database.run("PRAGMA journal_mode = WAL");
    this.#database.run("PRAGMA synchronous = NORMAL");
    this.#database.run(schema);
  }

  hold(purse: Purse, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    return this.#change(() => {
      const window = windowAt(purse.per, nowMs);
      this.#open(purse, window, nowMs);
      if (!isForced && this.#taken(purse.key, window) + amount > purse.limit) return undefined;
      return { purse, window, amount, id: this.#insert(purse.key, window, amount) };
    });
  }

  resize(hold: Hold, amount: number, nowMs: number, isForced: boolean): boolean {
    return this.#change(() => {
      const { purse } = hold;
      const window = windowAt(purse.per, nowMs);
      this.#open(purse, window, nowMs);
      const others = this.#taken(purse.key, window, hold.id);
      if (!isForced && others + amount > purse.limit) return false;
      this.#delete(hold.id);
      // A lease that has ended is taken anew: the call is still open.
      const id = this.#insert(purse.key, window, amount);
      Object.assign(hold, { window, amount, id });
      return true;
    });
  }

  settle(hold: Hold, amount: number): void {
    this.#change(() => {
      this.#delete(hold.id);
      if (amount === 0) return;
      this.#database
        .query(
          "UPDATE purses SET spent = spent + ?1, touched_ms = ?2 WHERE key = ?3 AND window = ?4",
        )
        .run(amount, this.#now(), hold.purse.key, hold.window);
    });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  taken(purse: Purse, nowMs: number): number {
    return this.#taken(purse.key, windowAt(purse.per, nowMs));
  }

  /** Makes the holds of this meter last for another lease. */
  renew(): void {
    this.#database
      .query("UPDATE holds SET ends_ms = ?1 WHERE holder = ?2")
      .run(this.#now() + leaseMs, this.#holder);
  }

  /** Every purse of this machine, with what is left of its last window. */
  list(): StoredPurse[] {
    const rows = this.#database
      .query<{ key: string; per: string; most: number; window: number; spent: number }, []>(
        "SELECT key, per, most, window, spent FROM purses ORDER BY key",
      )
      .all();
    return rows.map(({ key, per, most, window, spent }) => {
      const held = this.#taken(key, window) - spent;
      return { key, per, limit: most, window, spent, held };
    });
  }

  /** Empties the purses that `choose` picks by key; returns how many. */
  reset(choose: (key: string) => boolean): number {
    const keys = this.list()
      .map(({ key }) => key)
      .filter(choose);
    this.#change(() => {
      for (const key of keys) {
        this.#database.query("DELETE FROM purses WHERE key = ?1").run(key);
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

  /** The purse's row, begun anew when its window has passed; forgets what nobody needs. */
  #open(purse: Purse, window: number, nowMs: number): void {
    const { key, per, limit } = purse;
    this.#database
      .query(
        `INSERT INTO purses (key, per, most, window, spent, touched_ms) VALUES (?1, ?2, ?3, ?4, 0, ?5)
         ON CONFLICT (key) DO UPDATE SET
           per = ?2, most = ?3, spent = CASE WHEN window = ?4 THEN spent ELSE 0 END,
           window = ?4, touched_ms = ?5`,
      )
      .run(key, per, limit, window, nowMs);
    this.#database.query("DELETE FROM holds WHERE ends_ms < ?1").run(this.#now());
    this.#database.query("DELETE FROM purses WHERE touched_ms < ?1").run(nowMs - keptMs);
  }

  /** Spent and held, without one hold of ours. */
  #taken(key: string, window: number, without = -1): number {
    const spent = this.#database
      .query<{ spent: number }, [string, number]>(
        "SELECT spent FROM purses WHERE key = ?1 AND window = ?2",
      )
      .get(key, window);
    const held = this.#database
      .query<{ held: number | null }, [string, number, number, number]>(
        "SELECT sum(amount) AS held FROM holds WHERE key = ?1 AND window = ?2 AND id <> ?3 AND ends_ms >= ?4",
      )
      .get(key, window, without, this.#now());
    return (spent?.spent ?? 0) + (held?.held ?? 0);
  }

  #insert(key: string, window: number, amount: number): number {
    const { lastInsertRowid } = this.#database
      .query("INSERT INTO holds (key, window, amount, holder, ends_ms) VALUES (?1, ?2, ?3, ?4, ?5)")
      .run(key, window, amount, this.#holder, this.#now() + leaseMs);
    return Number(lastInsertRowid);
  }

  #delete(id: number): void {
    this.#database.query("DELETE FROM holds WHERE id = ?1").run(id);
  }
}
