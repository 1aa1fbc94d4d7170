import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CounterStore } from "#budgets/counter.ts";
import type { CounterStores } from "#budgets/gate-options.ts";
import { sentences, UserError } from "#errors.ts";
import { errorCode } from "#os/error-code.ts";
import { FallbackCounters } from "./fallback.ts";
import { MemoryCounters } from "./memory.ts";
import type { SharedStore, StorePlace } from "./shared-store.ts";

export type { SharedStore } from "./shared-store.ts";

/** File name of the shared counters in the state folder. */
export const countersFile = "counters.sqlite";

/** Every place that counters can be kept in, by name; a member is loaded when it is opened. May throw. */
export const counterStores = {
  memory: async () => new MemoryCounters(),
  sqlite: async (place: StorePlace) => new (await import("./sqlite.ts")).SqliteCounters(place),
} satisfies { readonly [name: string]: (place: StorePlace) => Promise<CounterStore> };

/** Everything that the stores of a session are opened with. */
export type StoreOptions = {
  /** True when a budget outlives the session. */
  readonly isShared: boolean;
  /** The state folder; undefined when the environment names none. */
  readonly folder: string | undefined;
  /** A name that no other session has. */
  readonly holder: string;
  readonly tell: (sentence: string) => void;
};

/** Opens the stores of a session, the shared one only when a budget needs it. Does not throw. */
export async function openCounterStores({
  isShared,
  folder,
  holder,
  tell,
}: StoreOptions): Promise<CounterStores & { readonly close: () => void }> {
  const session = await counterStores.memory();
  if (!isShared) return { session, shared: session, close: () => undefined };
  const shared = await FallbackCounters.open(async () => {
    if (folder === undefined) throw new Error("there is no state directory");
    return counterStores.sqlite({ path: join(folder, countersFile), holder });
  }, tell);
  return { session, shared, close: () => shared.close() };
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
  try {
    return await counterStores.sqlite({ path, holder });
  } catch (error) {
    throw new UserError(sentences.fileUnreadable(path, errorCode(error)));
  }
}
