import { attempt } from "#kit/errors.ts";
import {
  type Counter,
  type Standing,
  makeStanding,
  type StoredCounter,
} from "#meter/budgets/counter.ts";
import { findCurrentWindow } from "#meter/budgets/windows.ts";
import { type CounterChange, type AppliedChange, applyChange } from "../apply-change.ts";
import { type OfflineSpending, type SharedStore, type StoreLocation } from "../store.ts";
import { holdMaxMs, counterRetentionMs } from "../counter-lifetimes.ts";
import {
  type HolderRow,
  type ShareRow,
  SqliteTables,
  type ProcessIdentity,
} from "./sqlite-tables.ts";
import { storeBusyMaxMs, storeCloseBusyMaxMs } from "./lock-waits.ts";
import { SqliteFile } from "./sqlite-file.ts";
import { readFileSync, readlinkSync } from "node:fs";

// If a meter is killed, another meter releases its holds: in `renew`, or when a limit leaves no room for a call.
export class SqliteStore implements SharedStore {
  readonly #file: SqliteFile;
  readonly #tables: SqliteTables;
  readonly #holder: string;
  readonly #now: () => number;
  readonly #identity = readProcessIdentity();
  // Meters that start together would queue for the write lock. So a meter registers only at its first change.
  #isRegistered = false;

  constructor(
    { path, holder }: StoreLocation,
    { busyMaxMs = storeBusyMaxMs, now = Date.now }: { busyMaxMs?: number; now?: () => number } = {},
  ) {
    this.#holder = holder;
    this.#now = now;
    this.#file = new SqliteFile(path);
    this.#tables = new SqliteTables(this.#file.path, busyMaxMs);
  }

  apply(change: CounterChange): AppliedChange {
    this.#file.check();
    const applied = this.#tables.transaction(() => this.#apply(change));
    this.#isRegistered = true;
    return applied.isGranted ? applied : (this.#retryWithoutEndedMeters(change) ?? applied);
  }

  read(counter: Counter, nowMs: number): Standing {
    this.#file.check();
    const row = this.#tables.retryWhileBusy(() => this.#tables.readCounter(counter.key));
    const { keepsAmounts } = findCurrentWindow(counter.per, row?.window, nowMs);
    return row && keepsAmounts ? makeStanding(row.spent, row.held) : makeStanding(0, 0);
  }

  merge(offline: readonly OfflineSpending[]): void {
    if (offline.length === 0) return;
    this.#tables.transaction(() => {
      this.#putHolder();
      for (const spending of offline) this.#mergeSpending(spending);
    });
    this.#isRegistered = true;
  }

  nameServer(owner: string, name: string): void {
    this.#file.check();
    this.#tables.transaction(() => this.#tables.putServer(owner, name, this.#now()));
  }

  listServerNames(): ReadonlyMap<string, string> {
    this.#file.check();
    return this.#tables.retryWhileBusy(() => this.#tables.listServers());
  }

  renew(): void {
    this.#file.check();
    // Looks for ended processes before the transaction, because other meters wait during it.
    const holders = this.#tables.retryWhileBusy(() => this.#tables.listHolders());
    const ended = holders.filter((holder) => this.#hasEnded(holder));
    this.#tables.transaction(() => {
      if (this.#isRegistered) this.#putHolder();
      for (const { holder } of ended) this.#forget(holder, true);
      this.#tables.deleteUntouched(this.#now() - counterRetentionMs);
    });
  }

  list(): StoredCounter[] {
    this.renew();
    const rows = this.#tables.retryWhileBusy(() => this.#tables.listCounters());
    return rows.map(({ most, ...row }) => ({ ...row, limit: most }));
  }

  reset(isChosen: (key: string) => boolean): number {
    return this.#tables.transaction(() => {
      const keys = this.#tables.listCounters().flatMap(({ key }) => (isChosen(key) ? [key] : []));
      for (const key of keys) this.#tables.deleteCounter(key);
      return keys.length;
    });
  }

  setBusyMax(ms: number): void {
    this.#tables.busyMaxMs = ms;
  }

  discard(): void {
    this.#tables.close();
  }

  close(): void {
    this.setBusyMax(storeCloseBusyMaxMs);
    try {
      this.#file.check();
      if (this.#isRegistered) this.#tables.transaction(() => this.#forget(this.#holder, false));
    } finally {
      this.#tables.close();
    }
  }

  #retryWithoutEndedMeters(change: CounterChange): AppliedChange | undefined {
    return attempt(() => {
      const ended = this.#findEndedHolders(change.counter.key);
      if (ended.length === 0) return undefined;
      return this.#tables.transaction(() => {
        for (const { holder } of ended) this.#forget(holder, true);
        // The first attempt has already added `unwritten` to the counter.
        return this.#apply({ ...change, unwritten: 0 });
      });
    });
  }

  #apply(change: CounterChange): AppliedChange {
    const { key, per, limit, action = "" } = change.counter;
    if (!this.#isRegistered) this.#putHolder();
    const share = this.#tables.readShare(key, this.#holder);
    const applied = applyChange(this.#tables.readCounter(key), share, change);
    const row = { ...applied.amounts, key, per, most: limit, action };
    this.#tables.putCounter(row, this.#now());
    this.#tables.putShare({ ...applied.share, key, holder: this.#holder });
    return applied;
  }

  #mergeSpending({ counter, window, spentBefore, spentOffline, held }: OfflineSpending): void {
    const { key, per, limit, action = "" } = counter;
    const row = this.#tables.readCounter(key);
    if (row && row.window > window) return;
    const share = this.#tables.readShare(key, this.#holder);
    const isSameWindow = row?.window === window;
    // If the file was created again, its amount may be too low. If other meters spent more, `spentBefore` is too low.
    const spent = Math.max(isSameWindow ? row.spent : 0, spentBefore) + spentOffline;
    const heldByMeter = share?.window === window ? share.held : 0;
    const heldByOthers = isSameWindow ? Math.max(0, row.held - heldByMeter) : 0;
    const amounts = { window, spent, held: heldByOthers + held };
    this.#tables.putCounter({ ...amounts, key, per, most: limit, action }, this.#now());
    this.#tables.putShare({ key, holder: this.#holder, window, held, pledged: 0 });
  }

  #putHolder(): void {
    const { pid = 0, started = "", space = "" } = this.#identity ?? {};
    const ends = this.#now() + holdMaxMs;
    this.#tables.putHolder({ holder: this.#holder, pid, started, space, ends_ms: ends });
  }

  #hasEnded(holder: HolderRow): boolean {
    if (holder.holder === this.#holder) return false;
    const identity = holder.pid === 0 ? undefined : holder;
    return !(isRunning(identity, this.#identity) ?? holder.ends_ms >= this.#now());
  }

  #findEndedHolders(key: string): HolderRow[] {
    const shares = this.#tables.retryWhileBusy(() => this.#tables.listCounterShares(key));
    const holders = new Set(shares.flatMap(({ held, holder }) => (held > 0 ? [holder] : [])));
    const rows = this.#tables.retryWhileBusy(() => this.#tables.listHolders());
    return rows.filter((row) => holders.has(row.holder) && this.#hasEnded(row));
  }

  #forget(holder: string, wasKilled: boolean): void {
    for (const share of this.#tables.listHolderShares(holder)) this.#release(share, wasKilled);
    this.#tables.deleteHolder(holder);
  }

  // A killed meter may have delivered answers worth its whole pledge, so all of it counts as spent.
  #release(share: ShareRow, wasKilled: boolean): void {
    const row = this.#tables.readCounter(share.key);
    if (row?.window === share.window) {
      const spent = row.spent + (wasKilled ? share.pledged : 0);
      const held = Math.max(0, row.held - share.held);
      this.#tables.putCounter({ ...row, spent, held }, this.#now());
    }
    this.#tables.deleteShare(share);
  }
}

export function readProcessIdentity(): ProcessIdentity | undefined {
  return attempt(() => {
    const { pid, started } = parseStat(readFileSync("/proc/self/stat", "latin1"));
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { pid, started, space: `${boot} ${readlinkSync("/proc/self/ns/pid")}` };
  });
}

// Undefined if unknown: the process ran before a reboot or in another namespace, or has no identity.
export function isRunning(
  identity: ProcessIdentity | undefined,
  current: ProcessIdentity | undefined,
): boolean | undefined {
  if (!identity || identity.space !== current?.space) return undefined;
  return attempt(() => {
    const { started, state } = parseStat(readFileSync(`/proc/${identity.pid}/stat`, "latin1"));
    // A killed process stays a zombie until its parent reads its exit code.
    return started === identity.started && state !== "Z" && state !== "X";
  }, false);
}

// The command before ")" may contain spaces; field 22 of /proc/PID/stat is the start time.
function parseStat(stat: string): { pid: number; state: string; started: string } {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = ""] = fields;
  return { pid: Number.parseInt(stat, 10), state, started: fields[19] ?? "" };
}
