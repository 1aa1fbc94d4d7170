import { sha256 } from "#os/sha256.ts";

/** The keys of a fleet. They have one hash tag, so that a cluster keeps all of them on one node. */
export class RedisKeys {
  readonly #prefix: string;
  /** A sorted set: the keys of all counters, by the time at which they expire. */
  readonly index: string;
  /** A hash: the recorded names of servers by the owner of their counters. */
  readonly servers: string;

  constructor(fleet: string) {
    this.#prefix = `mcp-meter:{${fleet}}`;
    this.index = `${this.#prefix}:counters`;
    this.servers = `${this.#prefix}:servers`;
  }

  /** The hash of a counter: the name of a tool may be as long as a line. */
  counter(key: string): string {
    return `${this.#prefix}:counter:${sha256(key)}`;
  }

  /** The sorted set of those that hold something of a counter. */
  holders(counterKey: string): string {
    return `${counterKey}:holders`;
  }
}
