import { counterKeptMaxMs, holdMaxMs, storeBusyMaxMs, storeLastBusyMaxMs } from "../limits.ts";
import {
  type Counter,
  currentWindow,
  type Standing,
  localStanding,
  type StoredCounter,
} from "#meter/budgets/counter.ts";
import {
  type CounterChange,
  type Applied,
  applyChange,
  type Interlude,
  type SharedStore,
  type StorePlace,
} from "./change.ts";
import { type HolderRow, type ShareRow, SqliteTables } from "./sqlite-tables.ts";
import { StoreFile } from "./store-file.ts";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * One SQLite file for all meters of a user. Each change is one transaction, so that meters never exceed a limit
 * together. The holds of a killed meter are given back as soon as another one needs them, or when its lease ends if
 * its death cannot be noticed. The constructor throws when the file cannot be opened.
 */
export class SqliteStore implements SharedStore {
  readonly #file: StoreFile;
  readonly #tables: SqliteTables;
  readonly #holder: string;
  readonly #now: () => number;
  readonly #mark = ownProcessMark();
  /** Meters that asked for nothing are unknown to the others: a hundred may start at once. */
  #isRegistered = false;

  constructor(
    { path, holder }: StorePlace,
    { busyMaxMs = storeBusyMaxMs, now = Date.now }: { busyMaxMs?: number; now?: () => number } = {},
  ) {
    this.#holder = holder;
    this.#now = now;
    this.#file = new StoreFile(path);
    this.#tables = new SqliteTables(this.#file.path, busyMaxMs);
    this.#tables.busyMaxMs = storeBusyMaxMs;
  }

  apply(change: CounterChange): Applied {
    this.#file.check();
    const applied = this.#tables.transaction(() => this.#apply(change));
    this.#isRegistered = true;
    return applied.isGranted ? applied : (this.#applyWithoutEnded(change) ?? applied);
  }

  read(counter: Counter, nowMs: number): Standing {
    this.#file.check();
    const row = this.#tables.patiently(() => this.#tables.counter(counter.key));
    const { isKept } = currentWindow(counter.per, row?.window, nowMs);
    return row && isKept ? localStanding(row.spent, row.held) : localStanding(0, 0);
  }

  merge(interludes: readonly Interlude[]): void {
    if (interludes.length === 0) return;
    this.#tables.transaction(() => {
      this.#register();
      for (const interlude of interludes) this.#mergeOne(interlude);
    });
    this.#isRegistered = true;
  }

  nameServer(owner: string, name: string): void {
    this.#file.check();
    this.#tables.transaction(() => this.#tables.putServer(owner, name, this.#now()));
  }

  names(): ReadonlyMap<string, string> {
    this.#file.check();
    return this.#tables.patiently(() => this.#tables.servers());
  }

  renew(): void {
    this.#file.check();
    // Processes are looked for before the transaction: others wait for that.
    const holders = this.#tables.patiently(() => this.#tables.holders());
    const ended = holders.filter((holder) => this.#hasEnded(holder));
    this.#tables.transaction(() => {
      if (this.#isRegistered) this.#register();
      for (const { holder } of ended) this.#forget(holder, true);
      this.#tables.deleteUntouched(this.#now() - counterKeptMaxMs);
    });
  }

  list(): StoredCounter[] {
    this.renew();
    const rows = this.#tables.patiently(() => this.#tables.counters());
    return rows.map(({ most, ...row }) => ({ ...row, limit: most }));
  }

  reset(isChosen: (key: string) => boolean): number {
    return this.#tables.transaction(() => {
      const keys = this.#tables.counters().flatMap(({ key }) => (isChosen(key) ? [key] : []));
      for (const key of keys) this.#tables.deleteCounter(key);
      return keys.length;
    });
  }

  discard(): void {
    this.#tables.close();
  }

  close(): void {
    this.#tables.busyMaxMs = storeLastBusyMaxMs;
    try {
      this.#file.check();
      if (this.#isRegistered) this.#tables.transaction(() => this.#forget(this.#holder, false));
    } finally {
      this.#tables.close();
    }
  }

  /** Undefined without ended meters. Earlier spending was already written by the first transaction. */
  #applyWithoutEnded(change: CounterChange): Applied | undefined {
    try {
      const ended = this.#endedHoldersOf(change.counter.key);
      if (ended.length === 0) return undefined;
      return this.#tables.transaction(() => {
        for (const { holder } of ended) this.#forget(holder, true);
        return this.#apply({ ...change, unwritten: 0 });
      });
    } catch {
      return undefined;
    }
  }

  #apply(change: CounterChange): Applied {
    const { key, per, limit } = change.counter;
    if (!this.#isRegistered) this.#register();
    const share = this.#tables.share(key, this.#holder);
    const applied = applyChange(this.#tables.counter(key), share, change);
    this.#tables.putCounter({ ...applied.amounts, key, per, most: limit }, this.#now());
    this.#tables.putShare({ ...applied.share, key, holder: this.#holder });
    return applied;
  }

  /** A store that was used meanwhile has spent at least the known amount; a new one has not. */
  #mergeOne({ counter: { key, per, limit }, window, known, since, held }: Interlude): void {
    const row = this.#tables.counter(key);
    if (row && row.window > window) return;
    const own = this.#tables.share(key, this.#holder);
    const isSame = row?.window === window;
    const spent = Math.max(isSame ? row.spent : 0, known) + since;
    const ownHeld = own?.window === window ? own.held : 0;
    const others = isSame ? Math.max(0, row.held - ownHeld) : 0;
    const amounts = { window, spent, held: others + held };
    this.#tables.putCounter({ ...amounts, key, per, most: limit }, this.#now());
    this.#tables.putShare({ key, holder: this.#holder, window, held, pledged: 0 });
  }

  #register(): void {
    const { pid = 0, started = "", space = "" } = this.#mark ?? {};
    const ends = this.#now() + holdMaxMs;
    this.#tables.putHolder({ holder: this.#holder, pid, started, space, ends_ms: ends });
  }

  #hasEnded(holder: HolderRow): boolean {
    if (holder.holder === this.#holder) return false;
    const mark = holder.pid === 0 ? undefined : holder;
    return !(isRunning(mark, this.#mark) ?? holder.ends_ms >= this.#now());
  }

  /** Outside of a transaction: others would wait for it. */
  #endedHoldersOf(key: string): HolderRow[] {
    const shares = this.#tables.patiently(() => this.#tables.sharesOf(key));
    const holders = new Set(shares.flatMap(({ held, holder }) => (held > 0 ? [holder] : [])));
    const rows = this.#tables.patiently(() => this.#tables.holders());
    return rows.filter((row) => holders.has(row.holder) && this.#hasEnded(row));
  }

  #forget(holder: string, wasKilled: boolean): void {
    for (const share of this.#tables.sharesBy(holder)) this.#release(share, wasKilled);
    this.#tables.deleteHolder(holder);
  }

  /** A killed meter may have delivered any part of its pledge: all of it is spent. */
  #release(share: ShareRow, wasKilled: boolean): void {
    const row = this.#tables.counter(share.key);
    if (row?.window === share.window) {
      const spent = row.spent + (wasKilled ? share.pledged : 0);
      const held = Math.max(0, row.held - share.held);
      this.#tables.putCounter({ ...row, spent, held }, this.#now());
    }
    this.#tables.deleteShare(share);
  }
}

/** A pid alone is used again for other processes. */
export type ProcessMark = {
  readonly pid: number;
  readonly started: string;
  /** The machine since its last start, and the process namespace of `pid`. */
  readonly space: string;
};

export function ownProcessMark(): ProcessMark | undefined {
  try {
    const { pid, started } = parseStat(readFileSync("/proc/self/stat", "latin1"));
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { pid, started, space: `${boot} ${readlinkSync("/proc/self/ns/pid")}` };
  } catch {
    return undefined;
  }
}

/** Undefined when `own` process cannot know. */
export function isRunning(
  mark: ProcessMark | undefined,
  own: ProcessMark | undefined,
): boolean | undefined {
  if (!mark || mark.space !== own?.space) return undefined;
  try {
    const { started, state } = parseStat(readFileSync(`/proc/${mark.pid}/stat`, "latin1"));
    // A process that was killed stays a zombie until its parent asks for its exit code.
    return started === mark.started && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

function parseStat(stat: string): { pid: number; state: string; started: string } {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = ""] = fields;
  return { pid: Number.parseInt(stat, 10), state, started: fields[19] ?? "" };
}
