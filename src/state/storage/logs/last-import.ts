import { statSync } from "node:fs";
import { listNames } from "../live/session-files.ts";
import { join } from "node:path";
import { sha256 } from "#kit/os/hash.ts";
import { readCacheFile, writeCacheFile, readSealedFile, writeSealedFile } from "../cache-file.ts";
import type { LogFile } from "./find-logs.ts";
import { readIdentity } from "./group-cache.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { isObject, readMember } from "#wire/json.ts";

type LastImportOptions = {
  readonly folder: string;
  readonly importsFolder: string;
  readonly key: string;
  readonly build: string;
  // Everything else that changes the output.
  readonly variant: string;
};

type ClientFiles = { readonly client: string; readonly files: readonly LogFile[] };

// Enough to list every call in a history of ten gigabytes.
const lastImportBytesMax = 256 * 1024 * 1024;

// The output of the last import. It is valid until the options, the logs or the written records change.
export class LastImport<Printed extends object> {
  readonly #options: LastImportOptions;
  readonly #file: string;
  readonly #clients: readonly ClientFiles[];
  readonly #logs: string;

  // Identifies the logs before they are read: a line that a client adds later belongs to the next import.
  constructor(options: LastImportOptions, clients: readonly ClientFiles[]) {
    this.#options = options;
    // One file for all variants, because `--since 24h` makes another variant at every import.
    this.#file = join(options.folder, "last-import");
    this.#clients = clients;
    this.#logs = identifyLogs(clients);
  }

  read(isPrinted: (value: unknown) => value is Printed): Printed | undefined {
    const known = readSealedFile(this.#file, lastImportBytesMax, this.#makeSeal());
    return isPrinted(known) ? known : undefined;
  }

  // Called after the records are written.
  write(printed: Printed): void {
    writeSealedFile(this.#file, printed, this.#makeSeal());
  }

  #makeSeal(): { readonly key: string; readonly variant: string } {
    const { key, build, variant, importsFolder } = this.#options;
    const records = identifyRecords(this.#clients.map(({ client }) => join(importsFolder, client)));
    return { key, variant: [build, variant, this.#logs, records].join("\n") };
  }
}

function identifyLogs(clients: readonly ClientFiles[]): string {
  const lines = clients.flatMap(({ client, files }) =>
    files.map(({ file, form }) => {
      const logs = form === "database" ? [file, `${file}-wal`] : [file];
      return [client, file, ...logs.map((path) => readIdentity(path) ?? "")].join("\n");
    }),
  );
  return sha256(lines.join("\n"));
}

function identifyRecords(folders: readonly string[]): string {
  const lines = folders.flatMap((folder) =>
    listNames(folder)
      .toSorted()
      .map((name) => {
        const stats = statSync(join(folder, name), { throwIfNoEntry: false });
        return `${folder} ${name} ${String(stats?.size)} ${String(stats?.mtimeMs)}`;
      }),
  );
  return sha256(lines.join("\n"));
}

export const serverNamesRememberedMax = 1_000;

const serverNamesBytesMax = 1024 * 1024;

const format = "import-servers/1";

// Options stored for later imports. Without a stored server name, a later import would drop the server's calls
// from the records.
export class ImportChoices {
  readonly namesProjects: boolean;
  readonly #file: string;
  readonly #clients: ReadonlyMap<string, readonly string[]>;

  constructor(importsFolder: string) {
    this.#file = join(importsFolder, "servers.json");
    const content = readCacheFile(this.#file, serverNamesBytesMax);
    this.#clients = readClients(content);
    this.namesProjects = readMember(content, "names_projects") === true;
  }

  listServers(client: string): readonly string[] {
    return this.#clients.get(client) ?? [];
  }

  // Never throws. If the options cannot be stored, the user must pass them again.
  add(
    serversByClient: readonly (readonly [client: string, servers: readonly string[]])[],
    namesProjects = this.namesProjects,
  ): void {
    const clients = new Map(this.#clients);
    for (const [client, servers] of serversByClient) {
      const names = [...new Set([...this.listServers(client), ...servers])].slice(
        0,
        serverNamesRememberedMax,
      );
      if (names.length > this.listServers(client).length) clients.set(client, names);
    }
    const isNew = [...clients].some(([client, servers]) => servers !== this.#clients.get(client));
    if (!isNew && namesProjects === this.namesProjects) return;
    const projectNaming = namesProjects ? { names_projects: true } : {};
    writeCacheFile(this.#file, { format, clients: Object.fromEntries(clients), ...projectNaming });
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
