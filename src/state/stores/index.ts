import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CounterStore } from "#meter/budgets/counter.ts";
import { sentences, UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/file-errors.ts";
import { BatchedCounters } from "./batched.ts";
import { FailoverStore } from "./failover.ts";
import { MemoryCounters } from "./memory.ts";
import type { RedisPlace } from "./redis/address.ts";
import type { ListedStore, SharedStore, StorePlace } from "./change.ts";
import type { OpenStores, StoreOptions } from "./store-options.ts";

export type { ListedStore } from "./change.ts";

export const countersFile = "budget-counters.sqlite";

export const counterStores = {
  memory: async () => new MemoryCounters(),
  sqlite: async (place: StorePlace) =>
    new BatchedCounters(new (await import("./sqlite.ts")).SqliteStore(place)),
} satisfies { readonly [name: string]: (place: StorePlace) => Promise<CounterStore> };

const nothing = (): void => undefined;

export async function openCounterStores(options: StoreOptions): Promise<OpenStores> {
  const { isShared, folder, holder, policy, report, redis } = options;
  const session = await counterStores.memory();
  const connect = nothing;
  if (!isShared) {
    return {
      session,
      shared: session,
      close: nothing,
      save: nothing,
      nameServer: nothing,
      connect,
    };
  }
  if (redis) {
    const { openRedisCounters } = await import("./redis.ts");
    return { session, ...openRedisCounters(redis, options) };
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
    connect,
  };
}

export async function openRedisList(place: RedisPlace): Promise<ListedStore> {
  const { ListedCounters } = await import("./redis/listed-counters.ts");
  return ListedCounters.open(place);
}

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
