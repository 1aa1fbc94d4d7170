import type { StoredCounter } from "#meter/budgets/counter.ts";
import { UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/file-errors.ts";
import type { ListedStore } from "../change.ts";
import { type RedisPlace, shownAddress } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript, RedisKeys, evictionFault } from "./counter-script.ts";
import { type Reply, RedisFault } from "./replies.ts";
import { redisSentences } from "./sentences.ts";

// A fleet has some dozens.
const listedCountersMax = 10_000;

// They wait in one buffer.
export const countersReadTogether = 200;

export class ListedCounters implements ListedStore {
  readonly #place: RedisPlace;
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #script: CounterScript;

  private constructor(place: RedisPlace, connection: RedisConnection) {
    this.#place = place;
    this.#connection = connection;
    this.#keys = new RedisKeys(place.fleet);
    this.#script = new CounterScript(connection, this.#keys);
  }

  static async open(place: RedisPlace): Promise<ListedCounters> {
    const connection = await readable(place, () => RedisConnection.open(place.address));
    return new ListedCounters(place, connection);
  }

  list(): Promise<readonly StoredCounter[]> {
    return readable(this.#place, async () => (await this.#stored()).map(({ counter }) => counter));
  }

  names(): Promise<ReadonlyMap<string, string>> {
    return readable(this.#place, async () => {
      const words = texts(await this.#connection.send(["HGETALL", this.#keys.servers]));
      const names = new Map<string, string>();
      for (let at = 0; at + 1 < words.length; at += 2)
        names.set(words[at] ?? "", words[at + 1] ?? "");
      return names;
    });
  }

  reset(isChosen: (key: string) => boolean): Promise<number> {
    return readable(this.#place, async () => {
      const chosen = (await this.#stored()).filter(({ counter }) => isChosen(counter.key));
      for (const { redisKey } of chosen) await this.#script.reset(redisKey);
      return chosen.length;
    });
  }

  close(): void {
    this.#connection.close();
  }

  async #stored(): Promise<
    readonly { readonly redisKey: string; readonly counter: StoredCounter }[]
  > {
    const { index } = this.#keys;
    const range = ["ZRANGE", index, "0", String(listedCountersMax - 1)];
    const listed = texts(await this.#connection.send(range));
    // The script changes what it reads, and anyone may have added the key of something else.
    const keys = listed.filter((key) => this.#keys.isCounter(key));
    const stored: { redisKey: string; counter: StoredCounter }[] = [];
    for (let at = 0; at < keys.length; at += countersReadTogether) {
      const part = keys.slice(at, at + countersReadTogether);
      const counters = await Promise.all(part.map((key) => this.#script.read(key)));
      for (const [place, counter] of counters.entries()) {
        const redisKey = part[place];
        if (counter && redisKey !== undefined) stored.push({ redisKey, counter });
      }
    }
    return stored.toSorted((one, other) => (one.counter.key < other.counter.key ? -1 : 1));
  }
}

function texts(reply: Reply): readonly string[] {
  return Array.isArray(reply) ? reply.filter((word) => typeof word === "string") : [];
}

async function readable<Result>(
  { address }: RedisPlace,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const reason = errorCode(error);
    throw new UserError(redisSentences.redisUnreadable(shownAddress(address), reason));
  }
}

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
