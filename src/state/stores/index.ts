import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { BatchedCounters } from "./sqlite/batched-counters.ts";
import { FailoverStore } from "./sqlite/failover-store.ts";
import { MemoryCounters } from "./memory.ts";
import type { RedisLocation } from "./redis/address.ts";
import {
  type CounterList,
  countersFile,
  type OpenStores,
  type SharedStore,
  type StoreLocation,
  type StoreOptions,
} from "./store.ts";
import { commonSentences } from "#kit/sentences.ts";

export async function openCounterStores(options: StoreOptions): Promise<OpenStores> {
  const { isShared, folder, holder, policy, report, redis } = options;
  const session = new MemoryCounters();
  if (!isShared) return { session, shared: session };
  if (redis) {
    const { openRedisCounters } = await import("./redis/redis-counters.ts");
    return { session, ...openRedisCounters(redis, options) };
  }
  const { SqliteStore } = await import("./sqlite/sqlite-store.ts");
  const { peekAmounts } = await import("./sqlite/sqlite-tables.ts");
  const locate = (): StoreLocation => {
    if (folder === undefined)
      throw new Error("there is no state folder: set HOME or XDG_STATE_HOME");
    return { path: join(folder, countersFile), holder };
  };
  const access = {
    open: (busyMaxMs: number) => new SqliteStore(locate(), { busyMaxMs }),
    peek: () => peekAmounts(locate().path),
  };
  const store = new FailoverStore({ access, policy, report });
  const shared = new BatchedCounters(store);
  return {
    session,
    shared,
    close: () => shared.close(),
    save: () => shared.flush(),
    nameServer: (owner, name) => store.nameServer(owner, name),
  };
}

export async function openRedisList(location: RedisLocation): Promise<CounterList> {
  const { RedisList } = await import("./redis/redis-list.ts");
  return RedisList.open(location);
}

export async function openExistingStore(
  folder: string,
  holder: string,
): Promise<SharedStore | undefined> {
  const path = join(folder, countersFile);
  if (!existsSync(path)) return undefined;
  const { SqliteStore } = await import("./sqlite/sqlite-store.ts");
  try {
    return new SqliteStore({ path, holder });
  } catch (error) {
    throw new UserError(commonSentences.fileUnreadable(path, readErrorCode(error)));
  }
}
