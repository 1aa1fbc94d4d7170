import { Database } from "bun:sqlite";
import { errorCode } from "#kit/os/error-code.ts";
import type { Amounts, Share } from "./change.ts";
import { Queue } from "./queue.ts";
import { hasTables, isSound, schema, sound } from "./sqlite-schema.ts";

// Between attempts while others have transactions of 0.1 ms: waiting meters must leave them the processor.
const storePauseMaxMs = 64;

// Between two attempts to commit while others read: all meters wait for it.
const storeCommitPauseMaxMs = 1;

// No memory mapping: truncation would kill the process. No waiting for the disk: a killed process loses nothing.
const settings = [
  "PRAGMA mmap_size = 0",
  "PRAGMA synchronous = OFF",
  "PRAGMA journal_mode = PERSIST",
];

export type CounterRow = Amounts & {
  readonly key: string;
  readonly per: string;
  readonly most: number;
};

export type HolderRow = {
  readonly holder: string;
  readonly pid: number;
  readonly started: string;
  readonly space: string;
  readonly ends_ms: number;
};

export type ShareRow = Share & { readonly key: string; readonly holder: string };

const counterColumns = "key, per, most, window, spent, held";

/** Decides nothing. Every method throws when SQLite fails; the constructor throws when the file cannot be opened. */
export class SqliteTables {
  busyMaxMs: number;
  readonly #path: string;
  readonly #database: Database;

  constructor(path: string, busyMaxMs: number) {
    this.#path = path;
    this.busyMaxMs = busyMaxMs;
    this.#database = new Database(path, { readwrite: true, strict: true });
    try {
      // Each of them may have to read the file.
      for (const setting of settings) this.patiently(() => this.#run(setting));
      const isNew = this.patiently(() => !hasTables(this.#database));
      if (isNew) this.transaction(() => this.#create());
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Takes the write lock from the start, so that no other meter decides in between. */
  transaction<Result>(act: () => Result): Result {
    return this.patiently(() => {
      this.#run("BEGIN IMMEDIATE");
      try {
        const result = act();
        // Readers are let out first; new ones wait meanwhile.
        this.patiently(() => this.#run("COMMIT"), storeCommitPauseMaxMs);
        return result;
      } catch (error) {
        if (this.#database.inTransaction) this.#run("ROLLBACK");
        throw error;
      }
    });
  }

  /**
   * Repeats `act` while another meter has the file. Sleeps in between: the other one must get the processor. Others
   * that write meanwhile are a queue, which moves; one that has the file and writes nothing may never let go of it.
   * Where the processor is scarce, the time alone does not prove that: it must also have been tried often.
   */
  patiently<Result>(act: () => Result, pauseMaxMs = storePauseMaxMs): Result {
    const queue = new Queue(this.#path, this.busyMaxMs);
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!errorCode(error).startsWith("SQLITE_BUSY") || queue.isStuck()) throw error;
        // By chance, so that two that wait do not wake at the same time again.
        Bun.sleepSync(Math.random() * Math.min(pauseMaxMs, queue.tries));
      }
    }
  }

  counter(key: string): CounterRow | undefined {
    const row = this.#database
      .query<CounterRow, [string]>(`SELECT ${counterColumns} FROM counters WHERE key = ?1`)
      .get(key);
    return row ? sound(row) : undefined;
  }

  counters(): CounterRow[] {
    return this.#database
      .query<CounterRow, []>(`SELECT ${counterColumns} FROM counters ORDER BY key`)
      .all()
      .map(sound);
  }

  putCounter({ key, per, most, window, spent, held }: CounterRow, nowMs: number): void {
    this.#database
      .query(
        `INSERT OR REPLACE INTO counters (${counterColumns}, touched_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      )
      .run(key, per, most, window, spent, held, nowMs);
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

  servers(): ReadonlyMap<string, string> {
    const rows = this.#database
      .query<{ owner: string; name: string }, []>("SELECT owner, name FROM servers")
      .all();
    return new Map(rows.map(({ owner, name }) => [owner, name]));
  }

  share(key: string, holder: string): Share | undefined {
    const row = this.#database
      .query<Share, [string, string]>(
        "SELECT window, held, pledged FROM shares WHERE key = ?1 AND holder = ?2",
      )
      .get(key, holder);
    return row ? sound(row) : undefined;
  }

  sharesOf(key: string): ShareRow[] {
    return this.#shares("key", key);
  }

  sharesBy(holder: string): ShareRow[] {
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

  holders(): HolderRow[] {
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

  /** Without those that another program has damaged: their amounts are free with the next window. */
  #shares(column: "key" | "holder", value: string): ShareRow[] {
    return this.#database
      .query<ShareRow, [string]>(`SELECT * FROM shares WHERE ${column} = ?1`)
      .all(value)
      .filter(isSound);
  }

  /** Another meter may have been faster. */
  #create(): void {
    if (!hasTables(this.#database)) this.#run(schema);
  }
}
