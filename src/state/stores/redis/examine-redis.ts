import { errorCode } from "#kit/os/file-errors.ts";
import type { RedisPlace } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript } from "./counter-script.ts";
import { evictionFault } from "./eviction.ts";
import { RedisFault } from "./replies.ts";
import { RedisKeys } from "./redis-keys.ts";

export type RedisState =
  | { readonly kind: "usable"; readonly eviction: string | undefined }
  | { readonly kind: "forbidden"; readonly commands: readonly string[] }
  | { readonly kind: "unusable"; readonly fault: string };

// Missing permissions, a full memory and a replica show only on writes: a counter is made and removed.
export async function examineRedis(place: RedisPlace): Promise<RedisState> {
  try {
    const connection = await RedisConnection.open(place.address);
    try {
      const commands = await forbiddenCommands(connection, new RedisKeys(place.fleet));
      if (commands.length > 0) return { kind: "forbidden", commands };
      return { kind: "usable", eviction: await evictionFault(connection) };
    } finally {
      connection.close();
    }
  } catch (error) {
    return { kind: "unusable", fault: errorCode(error) };
  }
}

/** In an order in which nothing is made that cannot be removed. */
function commandsOn(counter: string, keys: RedisKeys): readonly (readonly string[])[] {
  const holders = keys.holders(counter);
  return [
    ["DEL", counter, holders],
    ["PEXPIRE", counter, "1"],
    ["ZREM", keys.index, counter],
    ["HDEL", counter, "a"],
    ["TIME"],
    ["HGET", counter, "a"],
    ["HMGET", counter, "a"],
    ["HGETALL", keys.servers],
    ["ZRANGE", keys.index, "0", "0"],
    ["ZRANGEBYSCORE", holders, "-inf", "0"],
    ["ZREMRANGEBYSCORE", holders, "-inf", "0"],
    // It changes members alone that are there.
    ["ZADD", holders, "XX", "0", "a"],
    ["EVAL", "return 0", "0"],
  ];
}

async function forbiddenCommands(
  connection: RedisConnection,
  keys: RedisKeys,
): Promise<readonly string[]> {
  const name = crypto.randomUUID();
  const counter = keys.counter(name);
  const forbidden: string[] = [];
  const tryOne = async (words: readonly string[]): Promise<void> => {
    if (await isForbidden(connection.send(words))) forbidden.push(words[0] ?? "");
  };
  for (const words of commandsOn(counter, keys)) await tryOne(words);
  // The next one makes a key.
  if (forbidden.includes("DEL")) return forbidden;
  try {
    await tryOne(["HSET", counter, "a", "b"]);
    const script = new CounterScript(connection, keys);
    if (forbidden.length === 0 && (await isForbidden(changeNothing(script, name)))) {
      forbidden.push("EVALSHA");
    }
  } finally {
    await connection.send(["DEL", counter, keys.holders(counter)]);
    if (!forbidden.includes("ZREM")) await connection.send(["ZREM", keys.index, counter]);
  }
  return forbidden;
}

async function changeNothing(script: CounterScript, key: string): Promise<void> {
  const counter = { key, per: "minute", limit: 0 } as const;
  const nothing = {
    window: undefined,
    open: 0,
    unwritten: 0,
    growth: 0,
    pledge: 0,
    known: 0,
    last: { spent: 0, born: 0 },
  };
  await script.change(counter, key, { ...nothing, seq: 1 });
  await script.change(counter, key, { ...nothing, seq: 2 }, true);
}

async function isForbidden(run: Promise<unknown>): Promise<boolean> {
  try {
    await run;
    return false;
  } catch (error) {
    if (error instanceof RedisFault && error.code === "NOPERM") return true;
    throw error;
  }
}
