import type { Counter, Standing, StoredCounter } from "#meter/budgets/counter.ts";
import type { Amounts, CounterChange, Applied } from "./change.ts";

export type StorePlace = {
  readonly path: string;
  readonly holder: string;
};

export type AmountStore = {
  apply(change: CounterChange): Applied;
  read(counter: Counter, nowMs: number): Standing;
  close(): void;
};

export type Interlude = {
  readonly counter: Counter;
  readonly window: number;
  readonly known: number;
  readonly since: number;
  readonly held: number;
};

export type SharedStore = AmountStore & {
  merge(interludes: readonly Interlude[]): void;
  nameServer(owner: string, name: string): void;
  names(): ReadonlyMap<string, string>;
  /** Keeps this user's holds from expiring; gives back those of ended meters, and deletes old counters. */
  renew(): void;
  list(): StoredCounter[];
  reset(isChosen: (key: string) => boolean): number;
  discard(): void;
};

export type ListedStore = {
  list(): readonly StoredCounter[] | Promise<readonly StoredCounter[]>;
  names(): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  reset(isChosen: (key: string) => boolean): number | Promise<number>;
  close(): void;
};

export type StoreAccess = {
  readonly open: (busyMaxMs: number) => SharedStore;
  readonly peek: () => ReadonlyMap<string, Amounts>;
};
