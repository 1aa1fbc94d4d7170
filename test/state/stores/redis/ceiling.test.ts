import { afterAll, describe, expect, test } from "bun:test";
import type { Counter } from "#meter/budgets/counter.ts";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { RedisConnection } from "#state/stores/redis/connection.ts";
import counterScript from "#state/stores/redis/counter.lua" with { type: "text" };
import { CounterScript, RedisKeys } from "#state/stores/redis/counter-script.ts";
import { RedisCounters } from "#state/stores/redis.ts";
import { Random } from "../../../../scripts/fuzz/contents.ts";
import { hasRedis, RedisServer } from "../../../support/redis.ts";
import { Acts } from "../acts.ts";

const redis = hasRedis("the ceiling over 16 meters") ? await RedisServer.start() : undefined;
afterAll(() => redis?.[Symbol.asyncDispose]());

const limit = 2_000;
const room = "limit - spent - others - open";

async function meterOn(keys: RedisKeys, text: string) {
  const connection = await RedisConnection.open({ address: parseRedisAddress(redis?.url ?? "") });
  const script = new CounterScript(connection, keys, text);
  const link = {
    isDown: false,
    script,
    subscribe: () => undefined,
    fail: () => undefined,
    reportLoss: () => undefined,
    runBeforeClose: async (work: (script: CounterScript) => Promise<void>) => {
      await work(script);
      return true;
    },
    close: () => connection.close(),
  } as const;
  const store = new RedisCounters({ link, holder: crypto.randomUUID(), policy: "closed" });
  const acts = new Acts(store);
  store.connect(acts.answered);
  return { store, acts };
}

async function play(text: string, seed: number) {
  const fleet = crypto.randomUUID();
  const keys = new RedisKeys(fleet);
  const counter: Counter = { key: fleet, per: "month", limit };
  const watcher = await RedisConnection.open({ address: parseRedisAddress(redis?.url ?? "") });
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
  { store, acts }: Awaited<ReturnType<typeof meterOn>>,
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

describe.if(redis !== undefined)("16 meters that spend at once", () => {
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
    const { highest } = await play(counterScript.replace(room, "largest"), 1);
    expect(highest).toBeGreaterThan(limit);
  });
});
