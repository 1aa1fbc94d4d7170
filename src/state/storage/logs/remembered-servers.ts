import { join } from "node:path";
import { nameCharactersMax } from "#kit/limits.ts";
import { isObject } from "#wire/json.ts";
import { readCacheFile, writeCacheFile } from "../caches.ts";

export const serverNamesRememberedMax = 1_000;

const serverNamesBytesMax = 1024 * 1024;

const format = "import-servers/1";

// A later import without these names would remove the calls of their servers from the records.
export class RememberedServers {
  readonly #file: string;
  readonly #clients: ReadonlyMap<string, readonly string[]>;

  constructor(importsFolder: string) {
    this.#file = join(importsFolder, "servers.json");
    this.#clients = readClients(readCacheFile(this.#file, serverNamesBytesMax));
  }

  listServers(client: string): readonly string[] {
    return this.#clients.get(client) ?? [];
  }

  // Never throws: names that cannot be stored must be passed again.
  add(serversByClient: readonly (readonly [client: string, servers: readonly string[]])[]): void {
    const clients = new Map(this.#clients);
    for (const [client, servers] of serversByClient) {
      const names = [...new Set([...this.listServers(client), ...servers])].slice(
        0,
        serverNamesRememberedMax,
      );
      if (names.length > this.listServers(client).length) clients.set(client, names);
    }
    const isNew = [...clients].some(([client, servers]) => servers !== this.#clients.get(client));
    if (isNew) writeCacheFile(this.#file, { format, clients: Object.fromEntries(clients) });
  }
}

function readClients(content: unknown): ReadonlyMap<string, readonly string[]> {
  if (!isObject(content) || content["format"] !== format) return new Map();
  const clients = content["clients"];
  if (!isObject(clients)) return new Map();
  return new Map(
    Object.entries(clients).map(([client, servers]) => [
      client,
      Array.isArray(servers) ? servers.filter(isName).slice(0, serverNamesRememberedMax) : [],
    ]),
  );
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= nameCharactersMax;
}
