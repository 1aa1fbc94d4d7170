import { type Counter, type Standing, makeStanding } from "#meter/budgets/counter.ts";
import { findCurrentWindow } from "#meter/budgets/windows.ts";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { attempt } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import {
  type CounterChange,
  type AppliedChange,
  type Amounts,
  applyChange,
  type Share,
} from "../apply-change.ts";
import {
  type AmountStore,
  type OfflineSpending,
  type ReportOutage,
  type SharedStore,
  type StoreAccess,
} from "../store.ts";
import { holdRenewalMs } from "../counter-lifetimes.ts";
import { RetryDelay } from "../retry-delay.ts";
import { storeSentences } from "../sentences.ts";
import { storeBusyMaxMs, storeCloseBusyMaxMs } from "./lock-waits.ts";

// `known` has the amounts that the shared store was last known to have.
type Entry = {
  readonly counter: Counter;
  readonly amounts: Amounts;
  readonly share: Share;
  readonly known: Amounts;
};

// Counts in this process while the shared store is not available.
export class LocalStore implements AmountStore {
  readonly #entries = new Map<string, Entry>();
  #peeked: ReadonlyMap<string, Amounts> = new Map();

  learn(counter: Counter, { amounts, share }: AppliedChange): void {
    this.#entries.set(counter.key, { counter, amounts, share, known: amounts });
  }

  learnPeeked(peeked: ReadonlyMap<string, Amounts>): void {
    this.#peeked = peeked;
    for (const [key, entry] of this.#entries) {
      const newer = peeked.get(key);
      if (!newer || newer.window < entry.amounts.window) continue;
      const { amounts, share } = renewEntry(entry, newer);
      this.#entries.set(key, { ...entry, amounts, share, known: amounts });
    }
  }

  apply(change: CounterChange): AppliedChange {
    const { counter } = change;
    const entry = this.#entries.get(counter.key);
    const before = entry?.amounts ?? this.#peeked.get(counter.key);
    const applied = applyChange(before, entry?.share, change);
    const { amounts, share } = applied;
    const known = findAmountsInWindow(amounts.window, entry?.known ?? before);
    this.#entries.set(counter.key, { counter, amounts, share, known });
    return applied;
  }

  read(counter: Counter, nowMs: number): Standing {
    const amounts = this.#entries.get(counter.key)?.amounts ?? this.#peeked.get(counter.key);
    const { keepsAmounts } = findCurrentWindow(counter.per, amounts?.window, nowMs);
    return amounts && keepsAmounts ? makeStanding(amounts.spent, amounts.held) : makeStanding(0, 0);
  }

  close(): void {
    // Nothing to close: all amounts are in memory.
  }

  listOfflineSpending(): OfflineSpending[] {
    return [...this.#entries.values()].map(({ counter, amounts, share, known }) => {
      const { window, spent } = amounts;
      const spentOffline = spent - known.spent;
      return { counter, window, spentBefore: known.spent, spentOffline, held: share.held };
    });
  }

  // Call this after each merge into the shared store: otherwise the next merge adds the same spending again.
  markMerged(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.set(key, { ...entry, known: entry.amounts });
    }
  }
}

function renewEntry({ amounts, share }: Entry, newer: Amounts): Pick<Entry, "amounts" | "share"> {
  const { window } = newer;
  // Only other meters have used the newer window, so this meter holds nothing in it.
  if (window > amounts.window) return { amounts: newer, share: { window, held: 0, pledged: 0 } };
  // Spending in a window rarely shrinks, so the larger of the two amounts counts.
  return { amounts: { ...amounts, spent: Math.max(newer.spent, amounts.spent) }, share };
}

function findAmountsInWindow(window: number, known: Amounts | undefined): Amounts {
  return known?.window === window ? known : { window, spent: 0, held: 0 };
}

// Traffic waits while a failed store is reopened, so reopening must not wait long for other meters.
const storeReopenBusyMaxMs = 5;

type FailoverOptions = {
  readonly access: StoreAccess;
  readonly policy: CounterFailurePolicy;
  readonly report: ReportOutage;
};

// Never throws. Without the shared store, the policy decides: `local` counts in this process, `closed` grants only
// forced amounts, and `open` grants everything.
export class FailoverStore implements AmountStore {
  readonly #options: FailoverOptions;
  readonly #local = new LocalStore();
  readonly #names = new Map<string, string>();
  #shared: SharedStore | undefined;
  readonly #renewTimer: Timer;
  #reopenTimer: Timer | undefined;
  readonly #retryDelay = new RetryDelay();

  constructor(options: FailoverOptions) {
    this.#options = options;
    this.#try(() => this.#open(storeBusyMaxMs));
    this.#renewTimer = setInterval(() => this.#try(() => this.#shared?.renew()), holdRenewalMs);
    this.#renewTimer.unref();
  }

  apply(change: CounterChange): AppliedChange {
    const { counter } = change;
    const applied = this.#try(() => this.#shared?.apply(change));
    if (applied) {
      this.#local.learn(counter, applied);
      return applied;
    }
    const { policy } = this.#options;
    if (policy === "local" || change.isForced) return this.#local.apply(change);
    if (policy === "open") return this.#local.apply({ ...change, isForced: true });
    // Grants nothing, but still counts in this process what calls have already spent.
    const unchanged = { ...change, next: change.current, advance: 0, isForced: true };
    return { ...this.#local.apply(unchanged), isGranted: false, mayGrant: false };
  }

  read(counter: Counter, nowMs: number): Standing {
    const standing = this.#try(() => this.#shared?.read(counter, nowMs));
    if (standing) return standing;
    const mayGrant = this.#options.policy !== "closed";
    return { ...this.#local.read(counter, nowMs), mayGrant };
  }

  nameServer(owner: string, name: string): void {
    this.#names.set(owner, name);
    this.#try(() => this.#shared?.nameServer(owner, name));
  }

  close(): void {
    clearInterval(this.#renewTimer);
    clearTimeout(this.#reopenTimer);
    // Reopens a failed shared store. Opening the store adds the spending since its failure. Closing the store gives
    // back the amounts that this process reserved.
    if (!this.#shared) {
      const mustMerge = this.#local.listOfflineSpending().length > 0;
      this.#reopen(mustMerge ? storeCloseBusyMaxMs : storeReopenBusyMaxMs);
    }
    clearTimeout(this.#reopenTimer);
    // If this fails, other meters give back the reserved amounts after this process has ended.
    attempt(() => this.#shared?.close());
  }

  #open(busyMaxMs: number): void {
    const shared = this.#options.access.open(busyMaxMs);
    try {
      shared.merge(this.#local.listOfflineSpending());
      this.#local.markMerged();
      for (const [owner, name] of this.#names) shared.nameServer(owner, name);
    } catch (error) {
      shared.discard();
      throw error;
    }
    shared.setBusyMax(storeBusyMaxMs);
    this.#shared = shared;
    this.#retryDelay.markOpened();
  }

  #try<Result>(act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      this.#fail(readErrorCode(error));
      return undefined;
    }
  }

  #fail(reason: string): void {
    const failed = this.#shared;
    this.#shared = undefined;
    failed?.discard();
    const { access, policy, report } = this.#options;
    this.#local.learnPeeked(attempt(access.peek, new Map()));
    report(storeSentences.counterStoreFailed(reason, policy), reason);
    this.#reopenLater();
  }

  #reopenLater(): void {
    clearTimeout(this.#reopenTimer);
    const reopen = (): void => this.#reopen(storeReopenBusyMaxMs);
    this.#reopenTimer = setTimeout(reopen, this.#retryDelay.next()).unref();
  }

  #reopen(busyMaxMs: number): void {
    try {
      this.#open(busyMaxMs);
    } catch {
      this.#reopenLater();
      return;
    }
    this.#options.report(storeSentences.counterStoreBack(), "");
  }
}
