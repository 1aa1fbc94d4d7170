import type { StoredCounter } from "#meter/budgets/counter.ts";
import { UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { CounterList } from "../store.ts";
import { type RedisLocation, formatHostPort } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript, RedisKeys } from "./counter-script.ts";
import type { Reply } from "./replies.ts";
import { redisSentences } from "../sentences.ts";

const listedCountersMax = 10_000;

export const countersReadTogether = 200;

type ListedCounter = { readonly redisKey: string; readonly counter: StoredCounter };

export class RedisList implements CounterList {
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

  static async open(location: RedisLocation): Promise<RedisList> {
    const connection = await explainFaults(location, () => RedisConnection.open(location));
    return new RedisList(location, connection);
  }

  list(): Promise<readonly StoredCounter[]> {
    return explainFaults(this.#location, async () =>
      (await this.#readStored()).map(({ counter }) => counter),
    );
  }

  listServerNames(): Promise<ReadonlyMap<string, string>> {
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

  async #readStored(): Promise<readonly ListedCounter[]> {
    const { index } = this.#keys;
    const range = ["ZRANGE", index, "0", String(listedCountersMax - 1)];
    const listed = keepTexts(await this.#connection.send(range));
    // Anyone may have added keys of other data to the index, and the script must not write to them.
    const keys = listed.filter((key) => this.#keys.isCounter(key));
    const stored: ListedCounter[] = [];
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
    throw new UserError(redisSentences.redisUnreadable(formatHostPort(address), reason));
  }
}
