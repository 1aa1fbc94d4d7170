import { type Amounts } from "../apply-change.ts";
import counterScript from "./counter.lua" with { type: "text" };
import type { Counter, StoredCounter } from "#meter/budgets/counter.ts";
import { sha1, sha256 } from "#kit/os/hash.ts";
import type { RedisConnection } from "./connection.ts";
import { makeReplyFault, RedisFault, type Reply } from "./replies.ts";
import { holdMaxMs, counterRetentionMs } from "../counter-lifetimes.ts";

// After its lease ends, a share keeps its `seq` for an hour: a late repetition of a change must not count.
const endedShareMs = 3_600_000;

const listedKeyCharactersMax = 4_096;

// A change that is repeated with the same `seq` has no further effect.
export type SharedChange = {
  readonly seq: number;
  readonly window: number | undefined;
  readonly open: number; // held by this meter's open calls
  readonly unwritten: number; // spent, but not yet in Redis
  // Room needed in addition to `open`; -1 requests none, and creates no counter or window.
  readonly growth: number;
  // The part of `open` and `growth` that counts as spent if the meter is killed.
  readonly pledge: number;
  // Redis may have lost spending: the script raises `spent` in Redis to at least `knownSpent`.
  readonly knownSpent: number;
  // Zeros before the first answer. `born` is when the counter was created: if it changes, Redis has lost the counter.
  readonly lastAnswer: { readonly spent: number; readonly born: number };
};

export type CounterAnswer = Amounts & {
  readonly share: { readonly held: number; readonly pledged: number };
  readonly nowMs: number;
  readonly born: number;
  readonly isLost: boolean;
};

export class CounterScript {
  readonly #connection: Pick<RedisConnection, "send">;
  readonly #keys: RedisKeys;
  readonly #text: string;
  readonly #digest: string;

  constructor(connection: Pick<RedisConnection, "send">, keys: RedisKeys, text = counterScript) {
    this.#connection = connection;
    this.#keys = keys;
    this.#text = text;
    this.#digest = sha1(text);
  }

  async change(
    { key, per, limit, action = "" }: Counter,
    holder: string,
    change: SharedChange,
    isLastChange = false,
  ): Promise<CounterAnswer> {
    const { seq, window, open, unwritten, growth, pledge, knownSpent, lastAnswer } = change;
    const counterKey = this.#keys.counter(key);
    const listedKey = key.length > listedKeyCharactersMax ? "" : key;
    const numbers = [limit, holdMaxMs, endedShareMs, counterRetentionMs];
    const amounts = [seq, window ?? -1, open, unwritten, growth, pledge, knownSpent];
    const reply = await this.#run(counterKey, [
      isLastChange ? "leave" : "change",
      listedKey,
      per,
      ...numbers.map(String),
      holder,
      ...[...amounts, lastAnswer.spent, lastAnswer.born].map(String),
      action,
    ]);
    return parseAnswer(reply);
  }

  // Undefined if the counter is missing, or damaged by another program.
  async read(counterKey: string): Promise<StoredCounter | undefined> {
    const reply = await this.#run(counterKey, ["read", String(endedShareMs)]);
    if (!Array.isArray(reply) || reply.length === 0) return undefined;
    const [key, per, action, ...numbers]: readonly Reply[] = reply;
    const [limit = 0, window = 0, spent = 0, held = 0] = numbers.map(Number);
    const isValid = [limit, window, spent, held].every(Number.isSafeInteger);
    if (typeof key !== "string" || typeof per !== "string" || !isValid) return undefined;
    const texts = { key, per, action: typeof action === "string" ? action : "" };
    return { ...texts, limit, window, spent, held };
  }

  // The counter keeps its `born`, so that meters do not think that Redis has lost it.
  async reset(counterKey: string): Promise<void> {
    await this.#run(counterKey, ["reset", String(counterRetentionMs)]);
  }

  async #run(counterKey: string, words: readonly string[]): Promise<Reply> {
    const keys = [counterKey, this.#keys.holders(counterKey), this.#keys.index];
    const args = [String(keys.length), ...keys, ...words];
    try {
      return await this.#connection.send(["EVALSHA", this.#digest, ...args]);
    } catch (error) {
      if (!(error instanceof RedisFault) || error.code !== "NOSCRIPT") throw error;
      return this.#connection.send(["EVAL", this.#text, ...args]);
    }
  }
}

function parseAnswer(reply: Reply): CounterAnswer {
  const numbers: readonly unknown[] = Array.isArray(reply) ? reply : [];
  if (numbers.length !== 8) throw makeReplyFault();
  const [window = 0, spent = 0, held = 0, shareHeld = 0, ...others] = numbers.map(parseWholeNumber);
  const [pledged = 0, nowMs = 0, born = 0, lost = 0] = others;
  return {
    window,
    spent,
    held,
    share: { held: shareHeld, pledged },
    nowMs,
    born,
    isLost: lost > 0,
  };
}

function parseWholeNumber(value: unknown): number {
  if (typeof value !== "number" || value < 0) throw makeReplyFault();
  return value;
}

// All keys of a fleet have one hash tag, so that a cluster keeps them on one node.
export class RedisKeys {
  readonly #prefix: string;
  readonly index: string;
  readonly servers: string;

  constructor(fleet: string) {
    this.#prefix = `mcp-meter:{${fleet}}`;
    this.index = `${this.#prefix}:counters`;
    this.servers = `${this.#prefix}:servers`;
  }

  // Hashes `key`, because the tool name in it may be very long.
  counter(key: string): string {
    return `${this.#prefix}:counter:${sha256(key)}`;
  }

  alert(key: string): string {
    return `${this.#prefix}:alert:${sha256(key)}`;
  }

  isCounter(redisKey: string): boolean {
    return redisKey.startsWith(`${this.#prefix}:counter:`);
  }

  holders(counterKey: string): string {
    return `${counterKey}:holders`;
  }
}
