import { servedPortMax, servedPortMin } from "#limits/wrapping.ts";
import { isFreePort } from "#http/ports/free-port.ts";
import { sha256 } from "#os/sha256.ts";

/** The server that a client reaches through `serve`: its name in reports, and its URL. */
export type ServedServer = { readonly name: string; readonly url: string };

/** The name of a server in the journal: a URL stays out of it. */
export function servedKey({ name, url }: ServedServer): string {
  return sha256(`${name}\n${url}`).slice(0, 16);
}

/**
 * The port of each server: the one that it ever had, else a free one that no other server has. The search begins at a place of its own, so that two
 * servers of two changes at once rarely meet.
 */
export class ServedPorts {
  readonly #ports: Map<string, number>;
  readonly #isFree: (port: number) => boolean;

  constructor(earlier: ReadonlyMap<string, number>, isFree = isFreePort) {
    this.#ports = new Map(earlier);
    this.#isFree = isFree;
  }

  /** Whether a server has this port. */
  has(port: number): boolean {
    return [...this.#ports.values()].includes(port);
  }

  /** Undefined when no port is free. */
  portOf(server: ServedServer): number | undefined {
    const key = servedKey(server);
    const known = this.#ports.get(key);
    if (known !== undefined) return known;
    const taken = new Set(this.#ports.values());
    const count = servedPortMax - servedPortMin + 1;
    const first = Number.parseInt(key.slice(0, 8), 16) % count;
    for (let step = 0; step < count; step += 1) {
      const port = servedPortMin + ((first + step) % count);
      if (taken.has(port) || !this.#isFree(port)) continue;
      this.#ports.set(key, port);
      return port;
    }
    return undefined;
  }
}
