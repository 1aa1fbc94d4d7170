import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerTimeoutDefaultMs, parseRedisAddress } from "#state/stores/redis/address.ts";
import { redisCloseMaxMs, RedisLink } from "#state/stores/redis/reconnect.ts";
import { allowed, judgedByTime } from "../../../support/measure.ts";
import { FakeRedis, hasRedis, RedisServer } from "../../../support/redis.ts";
import { eventually } from "../../../support/wait.ts";
import { retryDelayMinMs } from "#state/stores/retry-delay.ts";

type Told = readonly [sentence: string, reason: string];

function openLink(url: string) {
  const reported: Told[] = [];
  const link = new RedisLink({
    address: parseRedisAddress(url),
    fleet: "t",
    policy: "local",
    report: (...report) => reported.push(report),
  });
  const events: string[] = [];
  link.subscribe({
    onOpen: async () => void events.push("opened"),
    onClose: () => events.push("closed"),
  });
  return { link, told: reported, events };
}

describe("RedisLink", () => {
  test("what cannot be reached is told once, without its password, and tried again", async () => {
    let connections = 0;
    await using fake = await FakeRedis.start((socket) => {
      connections += 1;
      socket.write("-WRONGPASS invalid\r\n");
    });
    const { link, told: reported, events } = openLink(`redis://ann:canary@127.0.0.1:${fake.port}`);
    await eventually("it is tried again", () => connections > 1);
    expect(events).toEqual(["closed"]);
    expect(link.isDown).toBe(true);
    expect(reported).toEqual([
      [expect.stringContaining("it rejects the user or the password"), "WRONGPASS"],
    ]);
    expect(JSON.stringify(reported)).toContain(`127.0.0.1:${fake.port}`);
    expect(JSON.stringify(reported)).not.toContain("canary");
    link.close();
  });

  test("the pauses between attempts grow", async () => {
    const attemptMs: number[] = [];
    await using fake = await FakeRedis.start((socket) => {
      attemptMs.push(performance.now());
      socket.write("-WRONGPASS invalid\r\n");
    });
    const { link } = openLink(`redis://ann:canary@127.0.0.1:${fake.port}`);
    await eventually("there are four", () => attemptMs.length > 3);
    link.close();
    const [, , third = 0, fourth = 0] = attemptMs;
    expect(fourth - third).toBeGreaterThanOrEqual(retryDelayMinMs * 2);
  });

  test("the last work has its time, and no more", judgedByTime, async () => {
    await using fake = await FakeRedis.start((socket, chunks) => {
      if (chunks === 1) socket.write("+OK\r\n");
    });
    const { link, told: reported } = openLink(fake.url);
    await eventually("it is open", () => link.script !== undefined);
    const startedMs = performance.now();
    expect(await link.runBeforeClose(() => new Promise(() => undefined))).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(
      allowed(redisCloseMaxMs + answerTimeoutDefaultMs),
    );
    expect(reported.filter(([, reason]) => reason !== "ETIMEDOUT")).toEqual([]);
    link.close();
  });
});

test("counters that Redis has lost are told once, without its password", async () => {
  await using fake = await FakeRedis.start((socket) => void socket.write("+OK\r\n"));
  const { link, told: reported } = openLink(fake.url.replace("//", "//ann:canary@"));
  link.reportLostCounters();
  link.reportLostCounters();
  link.close();
  const lost = reported.filter(([, reason]) => reason === "counters lost");
  expect(lost).toEqual([[expect.stringContaining("has lost budget counters"), "counters lost"]]);
  expect(JSON.stringify(lost)).not.toContain("canary");
});

const isThere = hasRedis("links to Redis");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere)
    redis = await RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
});
afterAll(() => redis?.[Symbol.asyncDispose]());

describe.if(isThere)("RedisLink to a Redis", () => {
  test("warns about one that may remove counters", async () => {
    const { link, told: reported } = openLink(redis?.url ?? "");
    await eventually("it is told", () => reported.length > 0);
    expect(reported).toEqual([[expect.stringContaining("allkeys-lru"), "eviction"]]);
    link.close();
  });

  test("keeps the name of a server, also one that comes before the connection", async () => {
    const { link } = openLink(redis?.url ?? "");
    link.nameServer("owner-1", "garden");
    link.nameServer("owner-2", "pond");
    const key = "mcp-meter:{t}:servers";
    const readName = (owner: string) => redis?.ask("HGET", key, owner)[0];
    await eventually("it is written", () => readName("owner-1") === "garden");
    await eventually("the other one too", () => readName("owner-2") === "pond");
    link.close();
  });
});
