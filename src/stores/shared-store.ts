import type { Counter, Standing } from "#budgets/counter.ts";
import type { StoredCounter } from "#budgets/counter-status.ts";
import type { Amounts, CounterChange, Applied } from "./change.ts";

/** Where a shared store is, and who uses it. */
export type StorePlace = {
  /** Its file. */
  readonly path: string;
  /** A name that no other user of the store has. */
  readonly holder: string;
};

/** Keeps the amounts of counters. */
export type AmountStore = {
  /** Makes a change as one transaction. */
  apply(change: CounterChange): Applied;
  /** The state of the current window. */
  read(counter: Counter, nowMs: number): Standing;
  /** Gives back the holds of this user. */
  close(): void;
};

/** The changes of one meter to a counter while its store could not be reached. */
export type Interlude = {
  readonly counter: Counter;
  readonly window: number;
  /** Spent when the store was last reached, by everyone. */
  readonly known: number;
  /** Spent since then, by this meter. */
  readonly since: number;
  /** Held by this meter. */
  readonly held: number;
};

/** A store that all meters of a user share. Every method throws when the store fails. */
export type SharedStore = AmountStore & {
  /** Adds the changes that were made while the store could not be reached. */
  merge(interludes: readonly Interlude[]): void;
  /** Keeps the name under which a server is recorded, by the owner of its counters. */
  nameServer(owner: string, name: string): void;
  /** The recorded names of servers, by the owner of their counters. */
  names(): ReadonlyMap<string, string>;
  /** Keeps the holds of this user from expiring; gives back those of meters that ended, and deletes old counters. */
  renew(): void;
  /** All counters of the store, by key. */
  list(): StoredCounter[];
  /** Deletes the counters whose key is chosen; returns how many. */
  reset(isChosen: (key: string) => boolean): number;
  /** Ends the use of a store that has failed: writes nothing. */
  discard(): void;
};

/** The part of a store that lists and resets counters. Every method throws or rejects when the store fails. */
export type ListedStore = {
  /** All counters, by key. */
  list(): readonly StoredCounter[] | Promise<readonly StoredCounter[]>;
  /** The recorded names of servers, by the owner of their counters. */
  names(): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  /** Deletes the counters whose key is chosen; returns how many. */
  reset(isChosen: (key: string) => boolean): number | Promise<number>;
  close(): void;
};

/** How a meter opens a shared store. Both throw when that fails. */
export type StoreAccess = {
  /** Waits at most `busyMaxMs` for other meters. */
  readonly open: (busyMaxMs: number) => SharedStore;
  /** The amounts by key as they are now, without waiting for anyone. */
  readonly peek: () => ReadonlyMap<string, Amounts>;
};
