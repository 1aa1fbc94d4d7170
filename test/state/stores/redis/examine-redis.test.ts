import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import { examineRedis } from "#state/stores/redis/examine-redis.ts";
import { hasRedis, RedisServer } from "../../../support/redis.ts";

const isThere = hasRedis("the permissions that counters need");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

const examine = (url: string) => examineRedis({ address: parseRedisAddress(url), fleet: "team" });
const examineAs = (user: string) => examine(`redis://${user}:p@127.0.0.1:${redis?.port}`);

const user = (name: string, ...rules: readonly string[]): string =>
  redis?.ask("ACL", "SETUSER", name, "reset", "on", ">p", ...rules).join() ?? "";

function commandsInSource(): string[] {
  const folder = join(import.meta.dir, "..", "..", "..", "..", "src", "state", "stores", "redis");
  const texts = readdirSync(folder)
    .filter((file) => file !== "examine-redis.ts")
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const found = texts.flatMap((text) =>
    [...text.matchAll(/(?:redis\.call\('|(?:send\(|= )\[")([A-Z]+)['"]/g)].map(
      ([, word = ""]) => word,
    ),
  );
  // The first three are those of a login, and the last one may be refused.
  const others = new Set(["AUTH", "SELECT", "CONFIG"]);
  return [...new Set(found)].filter((word) => !others.has(word)).toSorted();
}

describe.if(isThere)("examineRedis", () => {
  test("the permissions of the document suffice, and nothing is left behind", async () => {
    redis?.ask("SET", "other", "1");
    expect(
      user("meter", "~mcp-meter:*", "+@read", "+@write", "+@scripting", "+@connection", "+time"),
    ).toBe("OK");
    expect(await examineAs("meter")).toEqual({ kind: "usable", evictionPolicy: undefined });
    expect(redis?.ask("KEYS", "*")).toEqual(["other"]);
  });

  test("each command of a meter is missed by its name", async () => {
    const commands = commandsInSource();
    expect(commands).toContain("ZREMRANGEBYSCORE");
    for (const command of commands) {
      expect(user("few", "~*", "+@all", `-${command.toLowerCase()}`)).toBe("OK");
      redis?.ask("SCRIPT", "FLUSH");
      expect(await examineAs("few")).toEqual({ kind: "forbidden", commands: [command] });
      expect([command, redis?.ask("KEYS", "*")]).toEqual([command, ["other"]]);
    }
  });

  test("several are missed together, as by a user who may only read", async () => {
    user("reader", "~mcp-meter:*", "+@read", "+@scripting", "+@connection", "+time");
    expect(await examineAs("reader")).toEqual({
      kind: "forbidden",
      commands: ["DEL", "PEXPIRE", "ZREM", "HDEL", "ZREMRANGEBYSCORE", "ZADD"],
    });
  });

  test("several that make something are missed together", async () => {
    user("half", "~*", "+@all", "-hset", "-zadd", "-zrem", "-eval");
    expect(await examineAs("half")).toEqual({
      kind: "forbidden",
      commands: ["ZREM", "ZADD", "EVAL", "HSET"],
    });
    user("zrem", "~*", "+@all", "-zrem");
    expect(await examineAs("zrem")).toEqual({ kind: "forbidden", commands: ["ZREM"] });
    expect(redis?.ask("KEYS", "*")).toEqual(["other"]);
  });

  test("other keys, another database, a password that is not set", async () => {
    user("stranger", "~other:*", "+@all");
    expect(await examineAs("stranger")).toEqual({ kind: "unusable", fault: "NOPERM_KEYS" });
    expect(await examine(`${redis?.url}/99`)).toEqual({ kind: "unusable", fault: "NO_DATABASE" });
    const password = await examine(`redis://:p@127.0.0.1:${redis?.port}`);
    expect(password).toEqual({ kind: "unusable", fault: "NO_PASSWORD" });
  });

  test("memory that is full, a policy that removes counters, a replica", async () => {
    await using full = await RedisServer.start("--maxmemory", "1");
    expect(await examine(full.url)).toEqual({ kind: "unusable", fault: "OOM" });
    full.ask("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "allkeys-lru");
    expect(await examine(full.url)).toEqual({ kind: "usable", evictionPolicy: "allkeys-lru" });
    full.ask("REPLICAOF", "127.0.0.1", String(redis?.port));
    const { kind } = await examine(full.url);
    expect(kind).toBe("unusable");
  });
});

test("a Redis that is away", async () => {
  expect(await examine("redis://127.0.0.1:1")).toEqual({ kind: "unusable", fault: "ECONNREFUSED" });
});
