import type { CounterFailurePolicy, CounterStores } from "#meter/budgets/gate-options.ts";
import type { ReportFailure } from "./failover.ts";
import type { RedisLocation } from "./redis/address.ts";

export type StoreOptions = {
  readonly isShared: boolean;
  readonly folder: string | undefined;
  readonly holder: string;
  readonly policy: CounterFailurePolicy;
  readonly report: ReportFailure;
  readonly redis?: RedisLocation | undefined;
};

export type OpenStores = CounterStores & {
  readonly close: () => void | Promise<void>;
  readonly save: () => void;
  readonly nameServer: (owner: string, name: string) => void;
  readonly connect: (answered: () => void) => void;
};
