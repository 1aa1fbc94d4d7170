import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Counter } from "#meter/budgets/counter.ts";
import { computeWindow } from "#meter/budgets/windows.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { RedisConnection } from "#state/stores/redis/connection.ts";
import counterScript from "#state/stores/redis/counter.lua" with { type: "text" };
import {
  type CounterAnswer,
  CounterScript,
  type SharedChange,
  RedisKeys,
} from "#state/stores/redis/counter-script.ts";
import { hasRedis, RedisServer } from "../../../support/redis.ts";

const isThere = hasRedis("the script of counters");
let server: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) server = await RedisServer.start();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const never = { spent: 0, born: 0 };

const noChange: SharedChange = {
  seq: 1,
  window: 0,
  open: 0,
  unwritten: 0,
  growth: 0,
  pledge: 0,
  knownSpent: 0,
  lastAnswer: never,
};

const pickSpent = ({ spent, born }: CounterAnswer) => ({ spent, born });

class Clocked {
  readonly counter: Counter = { key: crypto.randomUUID(), per: "day", limit: 100 };
  readonly #connection: RedisConnection;
  readonly #script: CounterScript;
  nowMs = Date.UTC(2026, 8, 1, 12);

  constructor(connection: RedisConnection) {
    this.#connection = connection;
    const text = counterScript
      .replace("redis.call('TIME')", "redis.call('LRANGE', 'clock', 0, 1)")
      .replace("tonumber(ARGV[5])", "1000");
    this.#script = new CounterScript(connection, new RedisKeys("t"), text);
  }

  async lose(): Promise<void> {
    const keys = new RedisKeys("t");
    const key = keys.counter(this.counter.key);
    await this.#connection.send(["DEL", key, keys.holders(key)]);
    this.nowMs += 1;
  }

  async reset(): Promise<void> {
    this.nowMs += 1;
    await this.#setClock();
    await this.#script.reset(new RedisKeys("t").counter(this.counter.key));
    this.nowMs += 1;
  }

  async change(
    holder: string,
    seq: number,
    fields: Partial<SharedChange>,
    counter = this.counter,
  ): Promise<CounterAnswer> {
    await this.#setClock();
    const window = computeWindow(counter.per, this.nowMs);
    return this.#script.change(counter, holder, { ...noChange, seq, window, ...fields });
  }

  async #setClock(): Promise<void> {
    await this.#connection.send(["DEL", "clock"]);
    const time = [Math.floor(this.nowMs / 1000), (this.nowMs % 1000) * 1000].map(String);
    await this.#connection.send(["RPUSH", "clock", ...time]);
  }
}

describe.if(isThere)("the script", () => {
  let connection: RedisConnection;
  beforeAll(async () => {
    connection = await RedisConnection.open({ address: parseRedisAddress(server?.url ?? "") });
  });

  test("grants what there is room for, to one meter and then to the next", async () => {
    const script = new Clocked(connection);
    expect(await script.change("one", 1, { growth: 60 })).toMatchObject({
      held: 60,
      share: { held: 60, pledged: 0 },
    });
    expect(await script.change("two", 1, { growth: 60 })).toMatchObject({
      held: 100,
      share: { held: 40 },
    });
    expect(await script.change("one", 2, { open: 10, unwritten: 20 })).toMatchObject({
      spent: 20,
      held: 50,
      share: { held: 10 },
    });
    expect(await script.change("two", 2, { growth: 90 })).toMatchObject({ share: { held: 70 } });
  });

  test("a change that comes again, or late, counts once", async () => {
    const script = new Clocked(connection);
    const first = await script.change("one", 1, { unwritten: 7, open: 3 });
    expect(await script.change("one", 1, { unwritten: 7, open: 3 })).toEqual(first);
    await script.change("one", 2, { unwritten: 1 });
    expect(await script.change("one", 1, { unwritten: 7, open: 3 })).toMatchObject({
      spent: 8,
      held: 0,
    });
  });

  test("when a lease ends, what was held is free again and what was pledged is spent", async () => {
    const script = new Clocked(connection);
    await script.change("one", 1, { growth: 60, pledge: 25 });
    script.nowMs += 1_001;
    expect(await script.change("two", 1, {})).toMatchObject({ spent: 25, held: 0 });
    // A repeated last change is still recognised.
    expect(await script.change("one", 1, { growth: 60, unwritten: 9 })).toMatchObject({
      spent: 25,
    });
    expect(await script.change("one", 2, { unwritten: 9 })).toMatchObject({ spent: 34 });
  });

  test("a limit that is lowered, and amounts that are forced, leave no room", async () => {
    const script = new Clocked(connection);
    expect(await script.change("one", 1, { open: 150 })).toMatchObject({ held: 150 });
    expect(await script.change("two", 1, { growth: 1 })).toMatchObject({ share: { held: 0 } });
    const lower = { ...script.counter, limit: 10 };
    await script.change("one", 2, { unwritten: 50 });
    expect(await script.change("two", 2, { growth: 1 }, lower)).toMatchObject({
      share: { held: 0 },
    });
  });

  test("a correction takes back, never below zero", async () => {
    const script = new Clocked(connection);
    await script.change("one", 1, { unwritten: 50 });
    expect(await script.change("one", 2, { unwritten: -20 })).toMatchObject({ spent: 30 });
    expect(await script.change("one", 3, { unwritten: -50 })).toMatchObject({ spent: 0, held: 0 });
    expect(await script.change("one", 4, { growth: 0 })).toMatchObject({ spent: 0, held: 0 });
  });

  test("a Redis that has lost its data learns what was known", async () => {
    const script = new Clocked(connection);
    expect(await script.change("one", 4, { unwritten: 2, knownSpent: 70 })).toMatchObject({
      spent: 72,
    });
    expect(await script.change("two", 9, { unwritten: 1, knownSpent: 50 })).toMatchObject({
      spent: 73,
    });
  });

  test("a counter that was lost learns from each meter that knew more, and tells these", async () => {
    const script = new Clocked(connection);
    const answer = await script.change("one", 1, { unwritten: 70 });
    const two = await script.change("two", 1, { unwritten: 5 });
    await script.lose();
    const fresh = await script.change("new", 1, { unwritten: 1 });
    expect(fresh).toMatchObject({ spent: 1, isLost: false });
    const first = await script.change("one", 2, { unwritten: 2, lastAnswer: pickSpent(answer) });
    expect(first).toMatchObject({ spent: 72, isLost: true });
    const second = await script.change("two", 2, { lastAnswer: pickSpent(two) });
    expect(second).toMatchObject({ spent: 75, isLost: true });
    const later = await script.change("two", 3, { lastAnswer: pickSpent(second) });
    expect(later).toMatchObject({ spent: 75, isLost: false });
  });

  test("a correction, a reset and a new window lower it, and nothing is lost", async () => {
    const script = new Clocked(connection);
    const first = await script.change("one", 1, { unwritten: 70 });
    await script.change("two", 1, { unwritten: -20 });
    const lower = await script.change("one", 2, { lastAnswer: pickSpent(first) });
    expect(lower).toMatchObject({ spent: 50, isLost: false });
    await script.reset();
    const reset = await script.change("one", 3, { unwritten: 3, lastAnswer: pickSpent(lower) });
    expect(reset).toMatchObject({ spent: 3, isLost: false });
    script.nowMs += 86_400_000;
    const next = await script.change("one", 4, { lastAnswer: pickSpent(reset) });
    expect(next).toMatchObject({ spent: 0, isLost: false });
  });

  test("a reset stays, also when a meter comes that knew a counter before", async () => {
    const script = new Clocked(connection);
    const first = await script.change("one", 1, { unwritten: 70 });
    await script.lose();
    await script.change("two", 1, { unwritten: 5 });
    await script.reset();
    const later = await script.change("one", 2, { lastAnswer: pickSpent(first) });
    expect(later).toMatchObject({ spent: 0, isLost: false });
  });

  test("chance: whatever is lost, no meter reads less than it knew, nor more than was spent", async () => {
    const step = fc.record({
      act: fc.constantFrom("spend", "spend", "spend", "lose", "reset"),
      meter: fc.nat(2),
      amount: fc.nat(9),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const script = new Clocked(connection);
      const known = [never, never, never];
      let [seq, truth] = [0, 0];
      const spend = async (meter: number, amount: number): Promise<void> => {
        seq += 1;
        truth += amount;
        const last = known[meter] ?? never;
        const answer = await script.change(`${meter}`, seq, {
          unwritten: amount,
          lastAnswer: last,
        });
        expect(answer.spent).toBeGreaterThanOrEqual(last.spent + amount);
        expect(answer.spent).toBeLessThanOrEqual(truth);
        if (answer.isLost) expect(answer.born).not.toBe(last.born);
        known[meter] = pickSpent(answer);
      };
      for (const { act, meter, amount } of steps) {
        if (act === "spend") await spend(meter, amount);
        if (act === "lose") await script.lose();
        if (act !== "reset") continue;
        await script.reset();
        truth = 0;
        for (const [at, { born }] of known.entries()) {
          known[at] = { spent: 0, born };
          await spend(at, 0);
        }
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test("numbers as large as there are stay exact", async () => {
    const script = new Clocked(connection);
    const most = Number.MAX_SAFE_INTEGER;
    const counter = { ...script.counter, limit: most };
    expect(await script.change("one", 1, { growth: most }, counter)).toMatchObject({ held: most });
    expect(await script.change("one", 2, { unwritten: 1e15 + 1, open: 0 }, counter)).toMatchObject({
      spent: 1e15 + 1,
      held: 0,
    });
    expect(await script.change("one", 3, { unwritten: most }, counter)).toMatchObject({
      spent: most,
    });
  });

  test("a mere question changes nothing", async () => {
    const script = new Clocked(connection);
    await script.change("one", 1, { growth: -1 });
    expect(await connection.send(["EXISTS", new RedisKeys("t").counter(script.counter.key)])).toBe(
      0,
    );
  });

  test("windows are those of every other store", async () => {
    const script = new Clocked(connection);
    const instant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2200, 0) });
    const edges = [Date.UTC(2024, 1, 29), Date.UTC(2027, 0, 1) - 1, Date.UTC(2026, 2, 1)];
    for (const per of ["minute", "hour", "day", "week", "month"] as const) {
      const check = async (nowMs: number): Promise<void> => {
        script.nowMs = nowMs;
        const counter = { key: crypto.randomUUID(), per, limit: 1 };
        const { window } = await script.change("one", 1, {}, counter);
        expect(window).toBe(computeWindow(per, nowMs));
      };
      for (const nowMs of edges) await check(nowMs);
      await fc.assert(fc.asyncProperty(instant, check), { numRuns: 50 });
    }
  });

  test("a window that has begun stays current when the clock is set back by one", async () => {
    const script = new Clocked(connection);
    const window = computeWindow("day", script.nowMs);
    await script.change("one", 1, { unwritten: 10 });
    script.nowMs += 86_400_000;
    expect(await script.change("one", 2, {})).toMatchObject({ window: window + 1, spent: 0 });
    script.nowMs -= 86_400_000;
    expect(await script.change("two", 1, { growth: 200 })).toMatchObject({
      window: window + 1,
      share: { held: 100 },
    });
  });

  test("amounts of a clock that was wrong move to the present window", async () => {
    const script = new Clocked(connection);
    const dayMs = 86_400_000;
    script.nowMs += 3 * dayMs;
    await script.change("one", 1, { unwritten: 60 });
    script.nowMs -= 3 * dayMs;
    expect(await script.change("two", 1, { growth: 90 })).toMatchObject({
      window: computeWindow("day", script.nowMs),
      spent: 60,
      share: { held: 40 },
    });
  });

  test("a Redis that was told to forget its scripts gets it again", async () => {
    const script = new Clocked(connection);
    await script.change("one", 1, { unwritten: 1 });
    await connection.send(["SCRIPT", "FLUSH"]);
    expect(await script.change("one", 2, { unwritten: 1 })).toMatchObject({ spent: 2 });
  });

  test("the user of the documentation may run it", async () => {
    const page = await Bun.file(join(import.meta.dir, "../../../../docs/redis.md")).text();
    const rule = /`(ACL SETUSER meter on >PASSWORD [^`]+)`/.exec(page)?.[1] ?? "";
    await using separate = await RedisServer.start();
    expect(separate.ask(...rule.split(" "))).toEqual(["OK"]);
    const url = `redis://meter:PASSWORD@127.0.0.1:${separate.port}`;
    const meter = await RedisConnection.open({ address: parseRedisAddress(url) });
    const script = new CounterScript(meter, new RedisKeys("t"), counterScript);
    const counter: Counter = { key: "k", per: "day", limit: 100 };
    const change = { ...noChange, growth: 7 };
    expect(await script.change(counter, "one", change)).toMatchObject({ share: { held: 7 } });
    meter.close();
  });

  test("all keys of a counter are in one slot of a cluster", async () => {
    const keys = new RedisKeys("any");
    const counter = keys.counter("x");
    const slots = new Set<unknown>();
    for (const key of [counter, keys.holders(counter), keys.index, keys.servers])
      slots.add(
        (await connection.send(["CLUSTER", "KEYSLOT", key]).catch(readErrorCode)) ?? "none",
      );
    // A server outside of a cluster may not know the command
    expect(slots.size).toBe(1);
  });

  test("a counter is gone some weeks after its last use", async () => {
    const script = new Clocked(connection);
    await script.change("one", 1, { unwritten: 1 });
    const keys = new RedisKeys("t");
    const ttl = await connection.send(["PTTL", keys.counter(script.counter.key)]);
    expect(ttl).toBeGreaterThan(31 * 86_400_000);
    // The index lists it until then.
    expect(Number(await connection.send(["PTTL", keys.index]))).toBeGreaterThan(Number(ttl));
  });
});

describe("CounterScript", () => {
  test.each([
    ["OK"],
    [[]],
    [[1, 2, 3]],
    [[1, 2, 3, 4, 5, 6]],
    [[1, 2, 3, 4, 5, 6, 7, -8]],
    [[1, 2, 3, 4, 5, 6, 7, "8"]],
    [null],
  ])("%p is not its answer", async (reply) => {
    const script = new CounterScript({ send: async () => reply }, new RedisKeys("t"));
    const counter = { key: "k", per: "day", limit: 1 } as const;
    expect(await script.change(counter, "one", noChange).catch(readErrorCode)).toBe(
      "not a Redis reply",
    );
  });
});
