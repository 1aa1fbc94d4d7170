import type { CounterFailurePolicy, CounterStores } from "#budgets/gate-options.ts";
import type { ReportFailure } from "./failover.ts";
import type { RedisPlace } from "./redis/address.ts";

/** Everything that the stores of a session are opened with. */
export type StoreOptions = {
  /** True when a budget outlives the session. */
  readonly isShared: boolean;
  /** The state folder; undefined when the environment names none. */
  readonly folder: string | undefined;
  /** A name that no other session has. */
  readonly holder: string;
  readonly policy: CounterFailurePolicy;
  readonly report: ReportFailure;
  /** The Redis that takes the place of the state folder; undefined for none. */
  readonly redis?: RedisPlace | undefined;
};

/** The stores of a session. */
export type OpenStores = CounterStores & {
  /** Resolves when all spending is written, or has had its time. */
  readonly close: () => void | Promise<void>;
  /** Writes all spending at once. */
  readonly save: () => void;
  /** Keeps the name under which a server is recorded, by the owner of its counters. */
  readonly nameServer: (owner: string, name: string) => void;
  /** `answered` is called when a store that was asked has answered. */
  readonly connect: (answered: () => void) => void;
};
