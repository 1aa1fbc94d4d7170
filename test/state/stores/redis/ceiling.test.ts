import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Counter, Hold } from "#meter/budgets/counter.ts";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { RedisConnection } from "#state/stores/redis/connection.ts";
import counterScript from "#state/stores/redis/counter.lua" with { type: "text" };
import { CounterScript, RedisKeys } from "#state/stores/redis/counter-script.ts";
import { RedisCounters } from "#state/stores/redis/redis-counters.ts";
import { Random } from "../../../../scripts/fuzz/contents.ts";
import { hasRedis, RedisServer } from "../../../support/redis.ts";
import { Acts } from "../acts.ts";

const isThere = hasRedis("the ceiling over 16 meters");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

// Two hundred meters on a busy machine.
const timeoutMs = 30_000;

const limit = 2_000;
const room = "limit - spent - held_by_others - open";

async function meterOn(keys: RedisKeys, text: string) {
  const connection = await RedisConnection.open({
    address: parseRedisAddress(redis?.url ?? ""),
    timeoutMs,
  });
  const script = new CounterScript(connection, keys, text);
  const link = {
    isDown: false,
    script,
    subscribe: () => undefined,
    fail: () => undefined,
    reportLostCounters: () => undefined,
    runBeforeClose: async (work: (script: CounterScript) => Promise<void>) => {
      await work(script);
      return true;
    },
    close: () => connection.close(),
  } as const;
  const store = new RedisCounters({ link, holder: crypto.randomUUID(), policy: "closed" });
  const acts = new Acts(store);
  store.subscribe(acts.answered);
  return { store, acts, kill: () => connection.close() };
}

async function play(text: string, seed: number) {
  const fleet = crypto.randomUUID();
  const keys = new RedisKeys(fleet);
  const counter: Counter = { key: fleet, per: "month", limit };
  const watcher = await RedisConnection.open({
    address: parseRedisAddress(redis?.url ?? ""),
    timeoutMs,
  });
  const taken = async (): Promise<readonly number[]> => {
    const reply = await watcher.send(["HMGET", keys.counter(counter.key), "spent", "held"]);
    return Array.isArray(reply) ? reply.map(Number) : [];
  };
  let highest = 0;
  const playing = { isOver: false };
  const watched = (async () => {
    while (!playing.isOver) {
      const [spent = 0, held = 0] = await taken();
      highest = Math.max(highest, spent + held);
    }
  })();
  const meters = await Promise.all(Array.from({ length: 16 }, () => meterOn(keys, text)));
  const delivered = await Promise.all(
    meters.map(({ store, acts }, index) => callOften({ store, acts }, counter, seed + index)),
  );
  for (const { store } of meters) await store.close();
  playing.isOver = true;
  await watched;
  const [spent = 0, held = 0] = await taken();
  watcher.close();
  return { highest, spent, held, delivered: delivered.reduce((sum, amount) => sum + amount, 0) };
}

async function callOften(
  { store, acts }: Pick<Awaited<ReturnType<typeof meterOn>>, "store" | "acts">,
  counter: Counter,
  seed: number,
): Promise<number> {
  const random = new Random(seed);
  let delivered = 0;
  for (let call = 0; call < 40; call += 1) {
    const hold = await acts.hold(counter, 1 + random.below(20), Date.now(), false);
    if (!hold) continue;
    const most = 20 + random.below(100);
    const spending = { isForced: false, isSpent: true };
    const passes = await acts.resize(hold, most, Date.now(), spending);
    const real = random.below(most);
    if (passes) delivered += real;
    if (passes) store.settle(hold, real);
    else store.release(hold);
  }
  return delivered;
}

describe.if(isThere)("16 meters that spend at once", () => {
  for (const seed of [1, 2, 3]) {
    test(`never exceed the limit, and what they delivered is spent, seed ${seed}`, async () => {
      const { highest, spent, held, delivered } = await play(counterScript, seed);
      expect(highest).toBeLessThanOrEqual(limit);
      expect([spent, held]).toEqual([delivered, 0]);
      expect(delivered).toBeGreaterThan(limit * 0.8);
    });
  }

  test("exceed it with a script that does not look for room", async () => {
    expect(counterScript).toContain(room);
    const { highest } = await play(counterScript.replace(room, "largest_integer"), 1);
    expect(highest).toBeGreaterThan(limit);
  });
});

// Each call is charged to its user, to the fleet and, in money, to its user.
const purses = ["user", "fleet", "money"] as const;

type Purse = (typeof purses)[number];

const limits: Readonly<Record<Purse, number>> = { user: 1_500, fleet: 20_000, money: 15_000_000 };

const moneyPerToken = 10_000;

const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);

const livingMeters = 180;

const loopingUser = "user-0";

type Meter = Awaited<ReturnType<typeof meterOn>> & { readonly user: string };

class Fleet {
  readonly id = crypto.randomUUID();
  readonly keys = new RedisKeys(this.id);
  readonly delivered = new Map<string, number>();
  readonly refusals = new Map<string, number>();

  counterOf(purse: Purse, user: string): Counter {
    const key = `${this.id} ${purse}${purse === "fleet" ? "" : ` ${user}`}`;
    return { key, per: "month", limit: limits[purse] };
  }

  get counters(): readonly Counter[] {
    const perUser = users.flatMap((user) =>
      (["user", "money"] as const).map((purse) => this.counterOf(purse, user)),
    );
    return [this.counterOf("fleet", ""), ...perUser];
  }

  // A meter that is killed has an open call, whose answer it may have delivered.
  async call(meter: Meter, random: Random, isKilled: boolean): Promise<void> {
    const { store, acts, user, kill } = meter;
    const need = 1 + random.below(20);
    const most = 20 + random.below(60);
    const holds: { readonly hold: Hold; readonly factor: number }[] = [];
    const release = (): void => {
      for (const { hold } of holds) store.release(hold);
      this.refusals.set(user, (this.refusals.get(user) ?? 0) + 1);
    };
    for (const purse of purses) {
      const factor = purse === "money" ? moneyPerToken : 1;
      const counter = this.counterOf(purse, user);
      const hold = await acts.hold(counter, need * factor, Date.now(), false);
      if (!hold) return release();
      holds.push({ hold, factor });
    }
    for (const { hold, factor } of holds) {
      const spending = { isForced: false, isSpent: true };
      if (!(await acts.resize(hold, most * factor, Date.now(), spending))) return release();
    }
    if (isKilled) return kill();
    const real = random.below(most);
    for (const { hold, factor } of holds) store.settle(hold, real * factor);
    this.delivered.set(user, (this.delivered.get(user) ?? 0) + real);
  }

  async watch(playing: { isOver: boolean }): Promise<readonly string[]> {
    const watcher = await RedisConnection.open({
      address: parseRedisAddress(redis?.url ?? ""),
      timeoutMs,
    });
    const exceeded = new Set<string>();
    while (!playing.isOver) {
      for (const { key, limit: most } of this.counters) {
        const reply = await watcher.send(["HMGET", this.keys.counter(key), "spent", "held"]);
        const [spent = 0, held = 0] = Array.isArray(reply) ? reply.map(Number) : [];
        if (spent + held > most) exceeded.add(key);
      }
    }
    watcher.close();
    return [...exceeded];
  }
}

describe.if(isThere)("row 192: 200 meters of 20 users, 20 of them killed", () => {
  test("one user's loop leaves the others their budget, and no ceiling is exceeded (slow)", async () => {
    const fleet = new Fleet();
    const playing = { isOver: false };
    const watched = fleet.watch(playing);
    const meters: Meter[] = await Promise.all(
      Array.from({ length: 200 }, async (_, number) => ({
        ...(await meterOn(fleet.keys, counterScript)),
        user: users[number % users.length] ?? "",
      })),
    );
    await Promise.all(
      meters.map(async (meter, number) => {
        const random = new Random(number);
        const calls = meter.user === loopingUser ? 60 : 2;
        const isKilled = number >= livingMeters;
        for (let call = 1; call <= calls; call += 1)
          await fleet.call(meter, random, isKilled && call === calls);
      }),
    );
    await Promise.all(meters.slice(0, livingMeters).map(({ store }) => store.close()));
    playing.isOver = true;
    expect(await watched).toEqual([]);
    for (const user of users) {
      const delivered = fleet.delivered.get(user) ?? 0;
      expect(delivered).toBeLessThanOrEqual(limits.user);
      expect(delivered).toBeGreaterThan(0);
      if (user !== loopingUser) expect([user, fleet.refusals.get(user)]).toEqual([user, undefined]);
    }
    expect(fleet.refusals.get(loopingUser)).toBeGreaterThan(100);
    const reader = await RedisConnection.open({
      address: parseRedisAddress(redis?.url ?? ""),
      timeoutMs,
    });
    const fleetKey = fleet.keys.counter(fleet.counterOf("fleet", "").key);
    const counter = await new CounterScript(reader, fleet.keys).read(fleetKey);
    reader.close();
    const delivered = [...fleet.delivered.values()].reduce((sum, amount) => sum + amount, 0);
    // The last spending of a killed meter may still be a pledge, which its lease turns into spending.
    const taken = (counter?.spent ?? 0) + (counter?.held ?? 0);
    expect(taken).toBeGreaterThanOrEqual(delivered);
    expect(taken).toBeLessThanOrEqual(limits.fleet);
  }, 60_000);
});
