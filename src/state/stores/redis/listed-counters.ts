import type { StoredCounter } from "#meter/budgets/counter.ts";
import { UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/file-errors.ts";
import type { ListedStore } from "../shared-store.ts";
import { type RedisPlace, shownAddress } from "./address.ts";
import { RedisConnection } from "./connection.ts";
import { CounterScript } from "./counter-script.ts";
import { RedisKeys } from "./redis-keys.ts";
import type { Reply } from "./replies.ts";
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
