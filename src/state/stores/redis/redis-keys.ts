import { sha256 } from "#kit/os/sha256.ts";

/** One hash tag, so that a cluster keeps all keys on one node. */
export class RedisKeys {
  readonly #prefix: string;
  readonly index: string;
  readonly servers: string;

  constructor(fleet: string) {
    this.#prefix = `mcp-meter:{${fleet}}`;
    this.index = `${this.#prefix}:counters`;
    this.servers = `${this.#prefix}:servers`;
  }

  /** Hashed: the name of a tool may be as long as a line. */
  counter(key: string): string {
    return `${this.#prefix}:counter:${sha256(key)}`;
  }

  isCounter(redisKey: string): boolean {
    return redisKey.startsWith(`${this.#prefix}:counter:`);
  }

  holders(counterKey: string): string {
    return `${counterKey}:holders`;
  }
}
