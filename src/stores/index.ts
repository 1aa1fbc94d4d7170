import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CounterStore } from "#budgets/counter.ts";
import type { CounterFailurePolicy, CounterStores } from "#budgets/gate-options.ts";
import { sentences, UserError } from "#errors.ts";
import { errorCode } from "#os/error-code.ts";
import { BatchedCounters } from "./batched.ts";
import { FailoverStore, type ReportFailure } from "./failover.ts";
import { MemoryCounters } from "./memory.ts";
import type { SharedStore, StorePlace } from "./shared-store.ts";

export type { SharedStore } from "./shared-store.ts";

/** File name of the shared counters in the state folder. */
export const countersFile = "budget-counters.sqlite";

/** Every place that counters can be kept in, by name; a member is loaded when it is opened. May throw. */
export const counterStores = {
  memory: async () => new MemoryCounters(),
  sqlite: async (place: StorePlace) =>
    new BatchedCounters(new (await import("./sqlite.ts")).SqliteStore(place)),
} satisfies { readonly [name: string]: (place: StorePlace) => Promise<CounterStore> };

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
};

/** The stores of a session. */
export type OpenStores = CounterStores & {
  readonly close: () => void;
  /** Writes all spending at once. */
  readonly save: () => void;
  /** Keeps the name under which a server is recorded, by the owner of its counters. */
  readonly nameServer: (owner: string, name: string) => void;
};

const nothing = (): void => undefined;

/** Opens the stores of a session, the shared one only when a budget needs it. Does not throw. */
export async function openCounterStores({
  isShared,
  folder,
  holder,
  policy,
  report,
}: StoreOptions): Promise<OpenStores> {
  const session = await counterStores.memory();
  if (!isShared) {
    return { session, shared: session, close: nothing, save: nothing, nameServer: nothing };
  }
  const { SqliteStore } = await import("./sqlite.ts");
  const { peekAmounts } = await import("./peek.ts");
  const place = (): StorePlace => {
    if (folder === undefined) throw new Error("there is no state directory");
    return { path: join(folder, countersFile), holder };
  };
  const access = {
    open: (busyMaxMs: number) => new SqliteStore(place(), { busyMaxMs }),
    peek: () => peekAmounts(place().path),
  };
  const store = new FailoverStore({ access, policy, report });
  const shared = new BatchedCounters(store);
  const nameServer: OpenStores["nameServer"] = (owner, name) => store.nameServer(owner, name);
  return {
    session,
    shared,
    close: () => shared.close(),
    save: () => shared.flush(),
    nameServer,
  };
}

/**
 * The shared store in a state folder; undefined when there is none yet. Throws UserError when it cannot be
 * opened.
 */
export async function openExistingStore(
  folder: string,
  holder: string,
): Promise<SharedStore | undefined> {
  const path = join(folder, countersFile);
  if (!existsSync(path)) return undefined;
  const { SqliteStore } = await import("./sqlite.ts");
  try {
    return new SqliteStore({ path, holder });
  } catch (error) {
    throw new UserError(sentences.fileUnreadable(path, errorCode(error)));
  }
}
