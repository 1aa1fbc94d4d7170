import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Counter, CounterStore, Hold } from "#meter/budgets/counter.ts";
import { BatchedCounters } from "#state/stores/sqlite/batched-counters.ts";
import { FailoverStore } from "#state/stores/sqlite/failover-store.ts";
import { MemoryCounters } from "#state/stores/memory.ts";
import type { SharedStore, StoreLocation } from "#state/stores/store.ts";
import { SqliteStore } from "#state/stores/sqlite/sqlite-store.ts";
import { Folder } from "../../support/folder.ts";
import { hasRedis, RedisServer } from "../../support/redis.ts";
import { Acts } from "./acts.ts";
import { clockedRedis } from "./clocked-redis.ts";
import { acts, play } from "./model.ts";

const isThere = hasRedis("counters in Redis");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

type Opening = (location: StoreLocation) => Promise<{ readonly acts: Acts; close?(): void }>;

const stores: { readonly [name: string]: (location: StoreLocation) => Promise<CounterStore> } = {
  memory: async () => new MemoryCounters(),
  sqlite: async (location) => new BatchedCounters(new SqliteStore(location)),
  "sqlite that may fail over": (location) =>
    failover(
      () => new SqliteStore(location),
      (sentence) => expect.unreachable(sentence),
    ),
  "the substitute of a store that cannot be opened": () =>
    failover(
      () => {
        throw new Error("it is broken");
      },
      () => undefined,
    ),
};

const members: { readonly [name: string]: Opening } = {
  ...Object.fromEntries(
    Object.entries(stores).map(([name, open]): [string, Opening] => [
      name,
      async (location) => {
        const store = await open(location);
        const close =
          "close" in store && typeof store.close === "function" ? store.close : undefined;
        return { acts: new Acts(store), close: () => void close?.call(store) };
      },
    ]),
  ),
  ...(isThere && { redis: () => clockedRedis(redis?.url ?? "") }),
};

async function failover(
  open: () => SharedStore,
  report: (sentence: string) => void,
): Promise<CounterStore> {
  const access = { open, peek: () => new Map() };
  return new BatchedCounters(new FailoverStore({ access, policy: "local", report }));
}

const noon = Date.UTC(2026, 8, 1, 12);
const held = { isForced: false, isSpent: false };
const spent = { isForced: false, isSpent: true };
const forced = { isForced: true, isSpent: true };
const of = (limit: number, per: Counter["per"] = "hour"): Counter => ({
  key: "k",
  per,
  limit,
});

class Opened implements AsyncDisposable {
  readonly store: Acts;
  readonly #close: () => void;
  readonly #folder: Folder;

  private constructor(store: Acts, close: () => void, folder: Folder) {
    this.store = store;
    this.#close = close;
    this.#folder = folder;
  }

  static async with(open: Opening): Promise<Opened> {
    const folder = new Folder();
    const opened = await open({ path: folder.at("c.sqlite"), holder: "one" });
    return new Opened(opened.acts, () => opened.close?.(), folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    this.#folder[Symbol.dispose]();
    await Promise.resolve();
  }
}

function granted(hold: Hold | undefined): Hold {
  if (!hold) throw new Error("there is room for it");
  return hold;
}

describe.each(Object.entries(members))("counters in %s", (_, open) => {
  test("what is held and what is spent fit the limit together, one more does not", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const first = granted(await store.hold(of(10), 6, noon, false));
    expect(await store.hold(of(10), 5, noon, false)).toBeUndefined();
    granted(await store.hold(of(10), 4, noon, false));
    store.settle(first, 2);
    expect(store.readStanding(of(10), noon).taken).toBe(6);
    expect(await store.hold(of(10), 5, noon, false)).toBeUndefined();
    granted(await store.hold(of(10), 4, noon, false));
  });

  test("counters with other keys are other counters", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    granted(await store.hold(of(10), 10, noon, false));
    granted(await store.hold({ ...of(10), key: "other" }, 10, noon, false));
  });

  test("a released hold is free again, spent or not", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    for (const isSpent of [false, true]) {
      const hold = granted(await store.hold(of(10), 10, noon, false));
      if (isSpent) store.settle(hold, 10);
      store.release(hold);
      expect(store.readStanding(of(10), noon).taken).toBe(0);
    }
  });

  test("a hold is resized as far as there is room, and unchanged when there is none", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const hold = granted(await store.hold(of(10), 1, noon, false));
    granted(await store.hold(of(10), 5, noon, false));
    expect([await store.resize(hold, 6, noon, held), hold.amount]).toEqual([false, 1]);
    expect([await store.resize(hold, 5, noon, held), hold.amount, hold.isSpent]).toEqual([
      true,
      5,
      false,
    ]);
    expect([await store.resize(hold, 4, noon, spent), hold.amount, hold.isSpent]).toEqual([
      true,
      4,
      true,
    ]);
    expect(store.readStanding(of(10), noon).taken).toBe(9);
  });

  test("a forced amount exceeds the limit, and nothing fits after it", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const hold = granted(await store.hold(of(10), 11, noon, true));
    expect(await store.resize(hold, 99, noon, forced)).toBe(true);
    expect(store.readStanding(of(10), noon).taken).toBe(99);
    expect(await store.hold(of(10), 0, noon, false)).toBeUndefined();
    expect(await store.resize(hold, 10, noon, spent)).toBe(true);
  });

  test("settling again corrects what was spent", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const hold = granted(await store.hold(of(10), 4, noon, false));
    for (const amount of [4, 7, 2]) {
      store.settle(hold, amount);
      expect(store.readStanding(of(10), noon).taken).toBe(amount);
    }
  });

  test("a limit that is raised counts what is spent, one that is lowered leaves nothing", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    store.settle(granted(await store.hold(of(10), 10, noon, false)), 10);
    granted(await store.hold(of(12), 2, noon, false));
    expect(await store.hold(of(11), 1, noon, false)).toBeUndefined();
    expect(store.readStanding(of(11), noon).taken).toBe(12);
  });

  test("the next window is full again, and what was held in the last one is gone", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const perMinute = of(10, "minute");
    const hold = granted(await store.hold(perMinute, 10, noon - 1, false));
    granted(await store.hold(perMinute, 10, noon, false));
    store.settle(hold, 10);
    expect(store.readStanding(perMinute, noon).taken).toBe(10);
  });

  test("a call over two windows is charged in the one in which its answer came", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const perMinute = of(10, "minute");
    const hold = granted(await store.hold(perMinute, 1, noon - 1, false));
    expect(await store.resize(hold, 8, noon, spent)).toBe(true);
    store.settle(hold, 8);
    expect(store.readStanding(perMinute, noon).taken).toBe(8);
  });

  test("a window that has begun stays current when the clock is set back", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const perMinute = of(10, "minute");
    granted(await store.hold(perMinute, 8, noon, false));
    expect(store.readStanding(perMinute, noon - 1).taken).toBe(8);
    expect(await store.hold(perMinute, 3, noon - 1, false)).toBeUndefined();
    granted(await store.hold(perMinute, 2, noon - 1, false));
  });

  test("asking what is taken does not begin a window", async () => {
    await using opened = await Opened.with(open);
    const { store } = opened;
    const perMinute = of(10, "minute");
    granted(await store.hold(perMinute, 8, noon - 1, false));
    expect(store.readStanding(perMinute, noon).taken).toBe(0);
    expect(store.readStanding(perMinute, noon - 1).taken).toBe(8);
  });

  test.each([
    ["without force, never more than the limit is taken", true],
    ["with force, what is taken is what was granted", false],
  ])("any acts at any time: %s", async (_name, isCeiling) => {
    await using opened = await Opened.with(open);
    await fc.assert(fc.asyncProperty(acts, (played) => play(opened.store, played, isCeiling)));
  });
});
