import {
  holdRenewalMs,
  storeBusyMaxMs,
  storeHealthyMinMs,
  storeLastBusyMaxMs,
  storeReopenMaxMs,
  storeReopenMinMs,
} from "../limits.ts";
import type { Counter, Standing } from "#meter/budgets/counter.ts";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { errorCode } from "#kit/os/error-code.ts";
import type { CounterChange, Applied } from "./change.ts";
import { LocalStore } from "./local-store.ts";
import type { AmountStore, SharedStore, StoreAccess } from "./shared-store.ts";
import { storeSentences } from "./sentences.ts";

// For other meters, when a failed store is reopened: the traffic waits too.
const storeReopenBusyMaxMs = 5;

export type ReportFailure = (sentence: string, reason: string) => void;

export type FailoverParts = {
  readonly access: StoreAccess;
  readonly policy: CounterFailurePolicy;
  readonly report: ReportFailure;
};

/** Without the shared store, `local` counts here, `closed` grants nothing, `open` everything. Never throws. */
export class FailoverStore implements AmountStore {
  readonly #parts: FailoverParts;
  readonly #local = new LocalStore();
  #shared: SharedStore | undefined;
  readonly #renewal: Timer;
  #reopening: Timer | undefined;
  #delayMs = storeReopenMinMs;
  #openedMs = -Infinity;

  constructor(parts: FailoverParts) {
    this.#parts = parts;
    this.#try(() => this.#open(storeBusyMaxMs));
    this.#renewal = setInterval(() => this.#try(() => this.#shared?.renew()), holdRenewalMs);
    this.#renewal.unref();
  }

  apply(change: CounterChange): Applied {
    const { counter } = change;
    const applied = this.#try(() => this.#shared?.apply(change));
    if (applied) {
      this.#local.learn(counter, applied);
      return applied;
    }
    const { policy } = this.#parts;
    if (policy === "local" || change.isForced) return this.#local.apply(change);
    if (policy === "open") return this.#local.apply({ ...change, isForced: true });
    const kept = this.#local.apply(unchanged(change));
    return { ...kept, isGranted: false, isReachable: false };
  }

  read(counter: Counter, nowMs: number): Standing {
    const standing = this.#try(() => this.#shared?.read(counter, nowMs));
    if (standing) return standing;
    const isReachable = this.#parts.policy !== "closed";
    return { ...this.#local.read(counter, nowMs), isReachable };
  }

  nameServer(owner: string, name: string): void {
    this.#try(() => this.#shared?.nameServer(owner, name));
  }

  close(): void {
    clearInterval(this.#renewal);
    clearTimeout(this.#reopening);
    // The last chance to add the spending of the meantime, and to give back advances.
    if (!this.#shared) {
      const isNeeded = this.#local.interludes().length > 0;
      this.#reopen(isNeeded ? storeLastBusyMaxMs : storeReopenBusyMaxMs);
    }
    clearTimeout(this.#reopening);
    try {
      this.#shared?.close();
    } catch {
      // Its shares are given back because its process has ended.
    }
  }

  #open(busyMaxMs: number): void {
    const shared = this.#parts.access.open(busyMaxMs);
    shared.merge(this.#local.interludes());
    this.#shared = shared;
    this.#openedMs = performance.now();
  }

  #try<Result>(act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      this.#fail(errorCode(error));
      return undefined;
    }
  }

  #fail(reason: string): void {
    this.#abandon();
    this.#local.learnAll(this.#peek());
    const { policy, report } = this.#parts;
    report(storeSentences.counterStoreFailed(reason, policy), reason);
    if (performance.now() - this.#openedMs > storeHealthyMinMs) this.#delayMs = storeReopenMinMs;
    this.#reopenLater();
  }

  #abandon(): void {
    const failed = this.#shared;
    this.#shared = undefined;
    failed?.discard();
  }

  #peek(): ReturnType<StoreAccess["peek"]> {
    try {
      return this.#parts.access.peek();
    } catch {
      return new Map();
    }
  }

  #reopenLater(): void {
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => this.#reopen(storeReopenBusyMaxMs), this.#delayMs);
    this.#reopening.unref();
    this.#delayMs = Math.min(storeReopenMaxMs, this.#delayMs * 2);
  }

  #reopen(busyMaxMs: number): void {
    try {
      this.#open(busyMaxMs);
    } catch {
      this.#reopenLater();
      return;
    }
    this.#parts.report(storeSentences.counterStoreBack(), "");
  }
}

function unchanged(change: CounterChange): CounterChange {
  return { ...change, next: change.own, advance: 0, isForced: true };
}
