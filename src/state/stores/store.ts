import type { CounterFailurePolicy, CounterStores } from "#meter/budgets/gate-options.ts";
import type { Counter, Standing, StoredCounter } from "#meter/budgets/counter.ts";
import type { Amounts, AppliedChange, CounterChange } from "./apply-change.ts";
import type { RedisLocation } from "./redis/address.ts";

export const countersFile = "budget-counters.sqlite";

// With an empty reason, the sentence is printed, but no fault is recorded.
export type ReportOutage = (sentence: string, reason: string) => void;

export type StoreOptions = {
  readonly isShared: boolean; // if false, opens only counters for this session
  readonly folder: string | undefined;
  readonly holder: string; // the name of this meter in the store
  readonly policy: CounterFailurePolicy;
  readonly report: ReportOutage;
  readonly redis?: RedisLocation | undefined;
};

export type OpenStores = CounterStores & {
  readonly close?: () => void | Promise<void>;
  readonly save?: () => void;
  // Stores a server's name for lists of counters. In counter keys, `owner` identifies the server.
  readonly nameServer?: (owner: string, name: string) => void;
  // Only for a store that answers asynchronously.
  readonly subscribe?: (onAnswer: () => void) => void;
};

export type StoreLocation = {
  readonly path: string;
  readonly holder: string;
};

export type AmountStore = {
  apply(change: CounterChange): AppliedChange;
  read(counter: Counter, nowMs: number): Standing;
  close(): void;
};

export type OfflineSpending = {
  readonly counter: Counter;
  readonly window: number;
  readonly spentBefore: number;
  readonly spentOffline: number;
  readonly held: number;
};

export type SharedStore = AmountStore & {
  merge(offline: readonly OfflineSpending[]): void;
  nameServer(owner: string, name: string): void;
  // Maps the owner in counter keys to the name of the server.
  listServerNames(): ReadonlyMap<string, string>;
  // Renews this meter's holds, gives back the holds of ended meters, and deletes old counters.
  renew(): void;
  list(): StoredCounter[];
  reset(isChosen: (key: string) => boolean): number;
  // How long to wait for other meters.
  setBusyMax(ms: number): void;
  // Closes without writing, after a failure.
  discard(): void;
};

export type CounterList = {
  list(): readonly StoredCounter[] | Promise<readonly StoredCounter[]>;
  listServerNames(): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  reset(isChosen: (key: string) => boolean): number | Promise<number>;
  close(): void;
};

export type StoreAccess = {
  readonly open: (busyMaxMs: number) => SharedStore;
  readonly peek: () => ReadonlyMap<string, Amounts>;
};
