import type { StoredCounter } from "#meter/budgets/counter.ts";
import { UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { ListedStore } from "../change.ts";
import { type RedisLocation, formatAddress } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript, RedisKeys, findEvictionPolicy } from "./counter-script.ts";
import { type Reply, RedisFault } from "./replies.ts";
import { redisSentences } from "./sentences.ts";

const listedCountersMax = 10_000;

export const countersReadTogether = 200;

export class ListedCounters implements ListedStore {
  readonly #location: RedisLocation;
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #script: CounterScript;

  private constructor(location: RedisLocation, connection: RedisConnection) {
    this.#location = location;
    this.#connection = connection;
    this.#keys = new RedisKeys(location.fleet);
    this.#script = new CounterScript(connection, this.#keys);
  }

  static async open(location: RedisLocation): Promise<ListedCounters> {
    const connection = await explainFaults(location, () => RedisConnection.open(location.address));
    return new ListedCounters(location, connection);
  }

  list(): Promise<readonly StoredCounter[]> {
    return explainFaults(this.#location, async () =>
      (await this.#readStored()).map(({ counter }) => counter),
    );
  }

  names(): Promise<ReadonlyMap<string, string>> {
    return explainFaults(this.#location, async () => {
      const words = keepTexts(await this.#connection.send(["HGETALL", this.#keys.servers]));
      const names = new Map<string, string>();
      for (let at = 0; at + 1 < words.length; at += 2)
        names.set(words[at] ?? "", words[at + 1] ?? "");
      return names;
    });
  }

  reset(isChosen: (key: string) => boolean): Promise<number> {
    return explainFaults(this.#location, async () => {
      const chosen = (await this.#readStored()).filter(({ counter }) => isChosen(counter.key));
      for (const { redisKey } of chosen) await this.#script.reset(redisKey);
      return chosen.length;
    });
  }

  close(): void {
    this.#connection.close();
  }

  async #readStored(): Promise<
    readonly { readonly redisKey: string; readonly counter: StoredCounter }[]
  > {
    const { index } = this.#keys;
    const range = ["ZRANGE", index, "0", String(listedCountersMax - 1)];
    const listed = keepTexts(await this.#connection.send(range));
    // Only counters: the script also writes to their keys, and anyone may have added a foreign key.
    const keys = listed.filter((key) => this.#keys.isCounter(key));
    const stored: { redisKey: string; counter: StoredCounter }[] = [];
    for (let at = 0; at < keys.length; at += countersReadTogether) {
      const batch = keys.slice(at, at + countersReadTogether);
      const counters = await Promise.all(batch.map((key) => this.#script.read(key)));
      for (const [position, counter] of counters.entries()) {
        const redisKey = batch[position];
        if (counter && redisKey !== undefined) stored.push({ redisKey, counter });
      }
    }
    return stored.toSorted((a, b) => (a.counter.key < b.counter.key ? -1 : 1));
  }
}

function keepTexts(reply: Reply): readonly string[] {
  return Array.isArray(reply) ? reply.filter((item) => typeof item === "string") : [];
}

async function explainFaults<Result>(
  { address }: RedisLocation,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const reason = readErrorCode(error);
    throw new UserError(redisSentences.redisUnreadable(formatAddress(address), reason));
  }
}

export type RedisState =
  | { readonly kind: "usable"; readonly eviction: string | undefined }
  | { readonly kind: "forbidden"; readonly commands: readonly string[] }
  | { readonly kind: "unusable"; readonly fault: string };

// Creates and removes a counter: only writes show missing permissions, a full memory or a replica.
export async function examineRedis(location: RedisLocation): Promise<RedisState> {
  try {
    const connection = await RedisConnection.open(location.address);
    try {
      const commands = await findForbiddenCommands(connection, new RedisKeys(location.fleet));
      if (commands.length > 0) return { kind: "forbidden", commands };
      return { kind: "usable", eviction: await findEvictionPolicy(connection) };
    } finally {
      connection.close();
    }
  } catch (error) {
    return { kind: "unusable", fault: readErrorCode(error) };
  }
}

// Ordered so that nothing is created that cannot be removed.
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
    // Changes existing members only.
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
