import { counterKeptMaxMs, holdMaxMs, holdRenewalMs } from "#limits.ts";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Counter, type Hold, type Resizing, windowAt } from "#budgets/counter.ts";
import type { StoredCounter } from "#budgets/counter-status.ts";
import type { KnownAmount, SharedStore, StorePlace } from "./shared-store.ts";
import { type CounterRow, SqliteTables } from "./sqlite-tables.ts";

/**
 * Keeps counters in one SQLite file that all meters of a user share. Each change is one transaction, so meters
 * that spend at the same time never exceed a limit. A hold has a lease: the holds of a killed meter are given
 * back when it ends. The constructor throws when the file cannot be opened.
 */
export class SqliteCounters implements SharedStore {
  readonly renewEveryMs = holdRenewalMs;
  readonly known = new Map<string, KnownAmount>();
  readonly #tables: SqliteTables;
  readonly #holder: string;
  readonly #now: () => number;
  #lastId = 0;

  /** Makes a missing folder. `now` is the wall clock of leases and of the age of counters. */
  constructor({ path, holder }: StorePlace, now: () => number = Date.now) {
    this.#holder = holder;
    this.#now = now;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#tables = new SqliteTables(path);
    this.#tables.transaction(() => this.#deleteStale());
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    const id = this.#lastId + 1;
    const { hold, taken } = this.#tables.transaction(() => {
      const { window, spent } = this.#currentRow(counter, nowMs);
      const before = spent + this.#held(counter.key, window);
      if (!isForced && before + amount > counter.limit) return { hold: undefined, taken: before };
      const granted = { counter, window, amount, isSpent: false, id };
      this.#insertHold(granted);
      return { hold: granted, taken: before + amount };
    });
    this.#lastId = id;
    this.#remember(counter, nowMs, taken);
    return hold;
  }

  resize(hold: Hold, amount: number, nowMs: number, { isForced, isSpent }: Resizing): boolean {
    const { counter, id } = hold;
    const resized = this.#tables.transaction(() => {
      const { window, spent } = this.#currentRow(counter, nowMs);
      const ownSpent = hold.isSpent && hold.window === window ? hold.amount : 0;
      const others = spent - ownSpent + this.#held(counter.key, window, id);
      if (!isForced && others + amount > counter.limit) return undefined;
      this.#tables.deleteHold({ holder: this.#holder, id });
      this.#addSpent(counter, window, (isSpent ? amount : 0) - ownSpent);
      // Also renews a hold that has expired: its call is still open.
      if (!isSpent) this.#insertHold({ ...hold, window, amount });
      return { window, taken: others + amount };
    });
    if (!resized) return false;
    Object.assign(hold, { window: resized.window, amount, isSpent });
    this.#remember(counter, nowMs, resized.taken);
    return true;
  }

  settle(hold: Hold, amount: number): void {
    const { counter, window, isSpent, id } = hold;
    this.#tables.transaction(() => {
      if (!isSpent) this.#tables.deleteHold({ holder: this.#holder, id });
      this.#addSpent(counter, window, isSpent ? amount - hold.amount : amount);
    });
    const known = this.known.get(counter.key);
    if (known) this.#remember(counter, known.nowMs, known.taken + amount - hold.amount);
    Object.assign(hold, { amount, isSpent: true });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  taken(counter: Counter, nowMs: number): number {
    const row = this.#tables.counter(counter.key);
    if (!row || row.window < windowAt(counter.per, nowMs)) return 0;
    return row.spent + this.#held(counter.key, row.window);
  }

  renew(): void {
    this.#tables.transaction(() => {
      this.#tables.extendHoldsOf(this.#holder, this.#now() + holdMaxMs);
      this.#deleteStale();
    });
  }

  list(): StoredCounter[] {
    return this.#tables.counters().map(({ key, per, most, window, spent }) => {
      return { key, per, limit: most, window, spent, held: this.#held(key, window) };
    });
  }

  reset(isChosen: (key: string) => boolean): number {
    const keys = this.#tables
      .counters()
      .map(({ key }) => key)
      .filter(isChosen);
    this.#tables.transaction(() => {
      for (const key of keys) this.#tables.deleteCounter(key);
    });
    return keys.length;
  }

  close(): void {
    this.#tables.deleteHoldsOf(this.#holder);
    this.#tables.close();
  }

  /** The counter's row in the current window; written only when the window or the limit has changed. */
  #currentRow({ key, per, limit }: Counter, nowMs: number): CounterRow {
    const window = windowAt(per, nowMs);
    const known = this.#tables.counter(key);
    if (known && known.window >= window && known.most === limit) return known;
    const isCurrent = known !== undefined && known.window >= window;
    const row = isCurrent
      ? { ...known, per, most: limit }
      : { key, per, most: limit, window, spent: 0 };
    this.#tables.putCounter(row, this.#now());
    return row;
  }

  /** The sum of the holds in a window, except one of our own. */
  #held(key: string, window: number, exceptId?: number): number {
    const except = exceptId === undefined ? undefined : { holder: this.#holder, id: exceptId };
    return this.#tables.held(key, window, this.#now(), except);
  }

  #insertHold({ counter: { key }, window, amount, id }: Hold): void {
    const endsMs = this.#now() + holdMaxMs;
    this.#tables.insertHold({ holder: this.#holder, id }, { key, window, amount, endsMs });
  }

  #addSpent(counter: Counter, window: number, amount: number): void {
    this.#tables.addSpent(counter, window, amount, this.#now());
  }

  #remember(counter: Counter, nowMs: number, taken: number): void {
    this.known.set(counter.key, { counter, nowMs, taken });
  }

  #deleteStale(): void {
    const nowMs = this.#now();
    this.#tables.deleteExpiredHolds(nowMs);
    this.#tables.deleteUntouched(nowMs - counterKeptMaxMs);
  }
}
