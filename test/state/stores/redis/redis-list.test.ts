import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { countersReadTogether, RedisList } from "#state/stores/redis/redis-list.ts";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { RedisConnection } from "#state/stores/redis/connection.ts";
import { CounterScript, RedisKeys } from "#state/stores/redis/counter-script.ts";
import { hasRedis, RedisServer } from "../../../support/redis.ts";

const isThere = hasRedis("lists of counters in Redis");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

const makeLocation = (fleet: string) => ({ address: parseRedisAddress(redis?.url ?? ""), fleet });

const never = { spent: 0, born: 0 };

async function spend(fleet: string, count: number): Promise<void> {
  const connection = await RedisConnection.open(makeLocation(fleet));
  const script = new CounterScript(connection, new RedisKeys(fleet));
  const none = {
    window: undefined,
    open: 0,
    growth: 0,
    pledge: 0,
    knownSpent: 0,
    lastAnswer: never,
  };
  const keys = Array.from({ length: count }, (_, tool) => JSON.stringify(["s", `t${tool}`]));
  for (const key of keys) {
    const counter = { key, per: "day", limit: 9 } as const;
    const { window } = await script.change(counter, "one", { ...none, seq: 1, unwritten: 0 });
    await script.change(counter, "one", { ...none, window, seq: 2, unwritten: 5 });
  }
  connection.close();
}

describe.if(isThere)("RedisList", () => {
  test("has the counters of its fleet, however many, and resets the chosen ones", async () => {
    const count = countersReadTogether + 1;
    await spend("many", count);
    await spend("other", 1);
    const counters = await RedisList.open(makeLocation("many"));
    const listed = await counters.list();
    expect(listed).toHaveLength(count);
    expect(listed[0]).toMatchObject({ per: "day", limit: 9, spent: 5, held: 0 });
    expect(await counters.reset((key) => key.includes('"t1"'))).toBe(1);
    expect(await counters.list()).toHaveLength(count - 1);
    counters.close();
    const second = await RedisList.open(makeLocation("other"));
    expect(await second.list()).toHaveLength(1);
    second.close();
  });

  test("has the names of servers", async () => {
    redis?.ask("HSET", new RedisKeys("named").servers, "owner", "garden");
    const counters = await RedisList.open(makeLocation("named"));
    expect(await counters.listServerNames()).toEqual(new Map([["owner", "garden"]]));
    counters.close();
  });

  test("a Redis that cannot be read is a sentence with its address", async () => {
    const address = parseRedisAddress("redis://ann:canary@127.0.0.1:1");
    const opening = RedisList.open({ address, fleet: "t" });
    expect(opening).rejects.toThrow("Cannot read the budget counters in the Redis at 127.0.0.1:1");
    await opening.catch(() => undefined);
  });
});
