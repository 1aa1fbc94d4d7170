import type { Counter, CounterStore } from "#budgets/counter.ts";
import type { StoredCounter } from "#budgets/counter-status.ts";

/** Where a shared store is, and who uses it. */
export type StorePlace = {
  /** Its file. */
  readonly path: string;
  /** A name that no other user of the store has. */
  readonly holder: string;
};

/** The amount that was last known to be taken of a counter, and when. */
export type KnownAmount = {
  readonly counter: Counter;
  readonly nowMs: number;
  readonly taken: number;
};

/** A store that all meters of a user share. Every method throws when the store fails. */
export type SharedStore = CounterStore & {
  /** The last known amount of each counter that this user has used, by key. */
  readonly known: ReadonlyMap<string, KnownAmount>;
  /** Milliseconds between two calls of `renew` that keep holds from expiring. */
  readonly renewEveryMs: number;
  /** Extends the holds of this user, and deletes expired holds and unused counters. */
  renew(): void;
  /** All counters of the store, by key. */
  list(): StoredCounter[];
  /** Deletes the counters whose key is chosen; returns how many. */
  reset(isChosen: (key: string) => boolean): number;
  /** Gives back the holds of this user. */
  close(): void;
};
