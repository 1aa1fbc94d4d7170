import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import type { Counter } from "#meter/budgets/counter.ts";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { RedisCounters } from "#state/stores/redis/redis-counters.ts";
import { RedisLink } from "#state/stores/redis/reconnect.ts";
import { hasRedis, RedisServer } from "../../../support/redis.ts";
import { eventually } from "../../../support/wait.ts";
import { Acts } from "../acts.ts";

const isThere = hasRedis("counters of several meters");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

class Meter {
  readonly reported: string[] = [];
  readonly store: RedisCounters;
  readonly acts: Acts;

  constructor(url: string, policy: CounterFailurePolicy = "local", clockMs = 0) {
    const location = { address: parseRedisAddress(url), fleet: "t" };
    const report = (_: string, reason: string): number => this.reported.push(reason);
    const link = new RedisLink({ ...location, policy, report });
    const now = (): number => Date.now() + clockMs;
    this.store = new RedisCounters({ link, holder: crypto.randomUUID(), policy, now });
    this.acts = new Acts(this.store);
    this.store.subscribe(this.acts.answered);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

const of = (limit: number, per: Counter["per"] = "day"): Counter => ({
  key: JSON.stringify([crypto.randomUUID(), null, null, "tokens", per, "error"]),
  per,
  limit,
});

describe.if(isThere)("meters that share a Redis", () => {
  let url = "";
  beforeAll(() => {
    url = redis?.url ?? "";
  });

  test("never take more than the limit together, and learn what the others spent", async () => {
    await using first = new Meter(url);
    await using second = new Meter(url);
    const counter = of(100);
    const hold = await first.acts.hold(counter, 60, Date.now(), false);
    expect(await second.acts.hold(counter, 60, Date.now(), false)).toBeUndefined();
    expect(second.store.readStanding(counter, Date.now())).toMatchObject({ held: 60 });
    if (hold) first.store.settle(hold, 10);
    first.store.flush();
    await eventually(
      "the rest is free",
      () => !second.store.mustWaitFor(need(counter, 90), Date.now()),
    );
    expect(second.store.hold(counter, 90, Date.now(), false)).toBeDefined();
  });

  test("a meter whose clock is five minutes ahead shares the window, also over its end", async () => {
    await using punctual = new Meter(url);
    await using ahead = new Meter(url, "local", 5 * 60_000);
    const counter = of(10, "minute");
    const taken: boolean[] = [];
    for (const meter of [punctual, ahead, punctual, ahead]) {
      const nowMs = Date.now() + (meter === ahead ? 5 * 60_000 : 0);
      taken.push((await meter.acts.hold(counter, 5, nowMs, false)) !== undefined);
    }
    expect(taken.slice(0, 2)).toEqual([true, true]);
    expect(punctual.store.readStanding(counter, Date.now()).taken).toBe(
      ahead.store.readStanding(counter, Date.now() + 5 * 60_000).taken,
    );
  });

  test("what a meter wrote stays when it leaves, what it held does not", async () => {
    const counter = of(100);
    {
      await using first = new Meter(url);
      const hold = await first.acts.hold(counter, 30, Date.now(), false);
      if (hold) first.store.settle(hold, 25);
      await first.acts.hold(counter, 40, Date.now(), false);
    }
    await using second = new Meter(url);
    expect(await second.acts.hold(counter, 75, Date.now(), false)).toBeDefined();
    expect(second.reported).toEqual([]);
  });

  test("a hundred calls at once are few questions", async () => {
    await using meter = new Meter(url);
    const counter = of(60);
    const before = commands(url);
    const holds = await Promise.all(
      Array.from({ length: 100 }, () => meter.acts.hold(counter, 1, Date.now(), false)),
    );
    expect(holds.filter((hold) => hold !== undefined)).toHaveLength(60);
    expect(commands(url) - before).toBeLessThan(40);
  });
});

describe("counters in a Redis that cannot be reached", () => {
  const nowhere = "redis://127.0.0.1:1";

  test.each([
    ["local", true, false],
    ["closed", false, true],
    ["open", true, true],
  ] as const)("%s", async (policy, isFirstGranted, isUnlike) => {
    await using meter = new Meter(nowhere, policy);
    const counter = of(10);
    const first = await meter.acts.hold(counter, 10, Date.now(), false);
    expect(first !== undefined).toBe(isFirstGranted);
    const second = await meter.acts.hold(counter, 10, Date.now(), false);
    expect(second !== undefined).toBe(policy === "open");
    expect(meter.store.readStanding(counter, Date.now()).mayGrant).toBe(policy !== "closed");
    expect(meter.reported).toHaveLength(1);
    expect(isUnlike).toBe(policy !== "local");
  });

  test("its end says when spending is not written", async () => {
    const meter = new Meter(nowhere);
    const hold = await meter.acts.hold(of(10), 10, Date.now(), false);
    if (hold) meter.store.settle(hold, 5);
    expect(await meter.store.close()).toBe(false);
    const idle = new Meter(nowhere);
    expect(await idle.store.close()).toBe(true);
  });
});

describe.if(isThere)("a Redis that goes and comes back", () => {
  test("counts on from what was known, and gets the spending of the meantime, once", async () => {
    await using server = await RedisServer.start();
    await using first = new Meter(server.url);
    const counter = of(100);
    const hold = await first.acts.hold(counter, 40, Date.now(), false);
    if (hold) first.store.settle(hold, 40);
    first.store.flush();
    await eventually("it is written", () => !first.store.mustWaitFor(need(counter, 1), Date.now()));
    await server.kill();
    await eventually("it is noticed", () => first.reported.length > 0);
    expect(await first.acts.hold(counter, 61, Date.now(), false)).toBeUndefined();
    const later = await first.acts.hold(counter, 20, Date.now(), false);
    if (later) first.store.settle(later, 20);
    await server.restart();
    await eventually("it is back", () => first.reported.includes(""));
    await using second = new Meter(server.url);
    expect(await second.acts.hold(counter, 41, Date.now(), false)).toBeUndefined();
    expect(await second.acts.hold(counter, 40, Date.now(), false)).toBeDefined();
  });

  test("a change that was not answered in time is counted once", async () => {
    await using server = await RedisServer.start();
    await using first = new Meter(server.url);
    const counter = of(100);
    const hold = await first.acts.hold(counter, 30, Date.now(), false);
    server.signal("SIGSTOP");
    if (hold) first.store.settle(hold, 30);
    first.store.flush();
    await eventually("it is noticed", () => first.reported.includes("ETIMEDOUT"));
    server.signal("SIGCONT");
    await eventually("it is back", () => first.reported.includes(""));
    await first.store.close();
    await using second = new Meter(server.url);
    expect(await second.acts.hold(counter, 71, Date.now(), false)).toBeUndefined();
    expect(await second.acts.hold(counter, 70, Date.now(), false)).toBeDefined();
  });
});

function need(counter: Counter, amount: number) {
  return { counter, hold: undefined, amount, isSpent: false };
}

function commands(url: string): number {
  expect(url).toBe(redis?.url ?? "");
  const line = redis?.ask("INFO", "stats").find((entry) => entry.startsWith("total_commands"));
  return Number(line?.split(":")[1]);
}
