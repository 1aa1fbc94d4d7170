import { readErrorCode } from "#kit/os/file-errors.ts";
import type { RedisLocation } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript, RedisKeys } from "./counter-script.ts";
import { RedisFault } from "./replies.ts";

export type RedisState =
  | { readonly kind: "usable"; readonly evictionPolicy: string | undefined }
  | { readonly kind: "forbidden"; readonly commands: readonly string[] }
  | { readonly kind: "unusable"; readonly fault: string };

// Creates and removes a counter, because only a write reveals that memory is full, or that the server is a replica.
export async function examineRedis(location: RedisLocation): Promise<RedisState> {
  try {
    const connection = await RedisConnection.open(location);
    try {
      const commands = await findForbiddenCommands(connection, new RedisKeys(location.fleet));
      if (commands.length > 0) return { kind: "forbidden", commands };
      return { kind: "usable", evictionPolicy: await findEvictionPolicy(connection) };
    } finally {
      connection.close();
    }
  } catch (error) {
    return { kind: "unusable", fault: readErrorCode(error) };
  }
}

// The key `counter` does not exist yet, so no command here creates or changes anything.
function listProbes(counter: string, keys: RedisKeys): readonly (readonly string[])[] {
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
    // With XX, ZADD only updates members that exist, and there are none.
    ["ZADD", holders, "XX", "0", "a"],
    ["EVAL", "return 0", "0"],
  ];
}

async function findForbiddenCommands(
  connection: RedisConnection,
  keys: RedisKeys,
): Promise<readonly string[]> {
  const name = crypto.randomUUID();
  const counter = keys.counter(name);
  const forbidden: string[] = [];
  const tryCommand = async (words: readonly string[]): Promise<void> => {
    if (await isForbidden(connection.send(words))) forbidden.push(words[0] ?? "");
  };
  for (const words of listProbes(counter, keys)) await tryCommand(words);
  // Without DEL, the key that the next command creates could not be removed.
  if (forbidden.includes("DEL")) return forbidden;
  try {
    await tryCommand(["HSET", counter, "a", "b"]);
    const script = new CounterScript(connection, keys);
    if (forbidden.length === 0 && (await isForbidden(runEmptyChanges(script, name)))) {
      forbidden.push("EVALSHA");
    }
  } finally {
    await connection.send(["DEL", counter, keys.holders(counter)]);
    if (!forbidden.includes("ZREM")) await connection.send(["ZREM", keys.index, counter]);
  }
  return forbidden;
}

async function runEmptyChanges(script: CounterScript, key: string): Promise<void> {
  const counter = { key, per: "minute", limit: 0 } as const;
  const emptyChange = {
    window: undefined,
    open: 0,
    unwritten: 0,
    growth: 0,
    pledge: 0,
    knownSpent: 0,
    lastAnswer: { spent: 0, born: 0 },
  };
  await script.change(counter, key, { ...emptyChange, seq: 1 });
  await script.change(counter, key, { ...emptyChange, seq: 2 }, true);
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

export async function findEvictionPolicy(
  connection: Pick<RedisConnection, "send">,
): Promise<string | undefined> {
  try {
    const reply = await connection.send(["CONFIG", "GET", "maxmemory*"]);
    if (!Array.isArray(reply)) return undefined;
    const policy: unknown = reply[reply.indexOf("maxmemory-policy") + 1];
    const memoryMax: unknown = reply[reply.indexOf("maxmemory") + 1];
    // Without a limit, nothing is ever evicted.
    if (typeof policy !== "string" || memoryMax === "0") return undefined;
    return /^(?:allkeys|volatile)-[a-z]{1,10}$/.test(policy) ? policy : undefined;
  } catch {
    // Many managed services reject CONFIG.
    return undefined;
  }
}
