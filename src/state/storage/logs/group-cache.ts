import { statSync } from "node:fs";
import { join } from "node:path";
import type { FileTies } from "#history/imports/file-groups.ts";
import type { ClientReport } from "#history/imports/import-report.ts";
import { keyedSha256 } from "#kit/os/hash.ts";
import { isObject } from "#wire/json.ts";
import { readSealedFile, writeSealedFile } from "../cache-file.ts";
import type { LogFile } from "./find-logs.ts";
import type { ConversationFile } from "./write-imports.ts";

// Logs of one client that were read and merged together.
export type LogGroup = {
  readonly files: readonly LogFile[];
  readonly ties: FileTies;
  readonly report: ClientReport;
  readonly firstCallMs: number | null;
  readonly conversations: readonly ConversationFile[];
};

type CacheOptions = {
  readonly file: string;
  // Logs are named by a keyed hash, so that the cache reveals no file name.
  readonly key: string;
  // Everything else that the groups depend on; a file written for another variant is ignored.
  readonly variant: string;
  readonly hasRecords: (conversation: ConversationFile) => boolean;
};

// The cache for ten gigabytes of logs takes about 50 MB.
export const groupCacheBytesMax = 256 * 1024 * 1024;

// Keeps the groups of one client, and returns those whose logs and records have not changed. A faulty cache is
// ignored: all logs are read again.
export class GroupCache {
  readonly #options: CacheOptions;
  readonly #logsByHash: ReadonlyMap<string, LogFile>;

  // Create this before reading the logs. A line that is written to a log during the read changes the log's identity. So
  // the next import reads the log again.
  constructor(files: readonly LogFile[], options: CacheOptions) {
    this.#options = options;
    this.#logsByHash = new Map(
      files.flatMap((log) => {
        const identity = log.form === "database" ? undefined : readIdentity(log.file);
        return identity === undefined ? [] : [[this.#hash(`${log.file}\n${identity}`), log]];
      }),
    );
  }

  read(): readonly LogGroup[] {
    const { file } = this.#options;
    const stored = readSealedFile(file, groupCacheBytesMax, this.#options);
    return Array.isArray(stored)
      ? stored.filter(isStored).flatMap((group) => this.#restore(group))
      : [];
  }

  // Call only after the records have been written.
  write(groups: readonly LogGroup[]): void {
    const hashesByLog = new Map([...this.#logsByHash].map(([hash, log]) => [log, hash]));
    const stored = groups.flatMap(({ files, ties, conversations, ...facts }): StoredGroup[] => {
      const hashes = files.flatMap((log) => hashesByLog.get(log) ?? []);
      if (hashes.length < files.length) return [];
      const ids = Buffer.from(ties.ids.buffer, ties.ids.byteOffset, ties.ids.byteLength);
      return [
        {
          ...facts,
          hashes,
          ties: { ...ties, ids: ids.toString("base64") },
          conversations: conversations.map(({ id, lastMs, bytes }) => ({ id, lastMs, bytes })),
        },
      ];
    });
    writeSealedFile(this.#options.file, stored, this.#options);
  }

  #restore({ hashes, ties, ...facts }: StoredGroup): readonly LogGroup[] {
    const files = hashes.flatMap((hash) => this.#logsByHash.get(hash) ?? []);
    const isComplete =
      files.length === hashes.length && facts.conversations.every(this.#options.hasRecords);
    if (!isComplete) return [];
    const bytes = Uint8Array.from(Buffer.from(ties.ids, "base64"));
    return [{ ...facts, files, ties: { ...ties, ids: new Uint32Array(bytes.buffer) } }];
  }

  #hash(text: string): string {
    return keyedSha256(this.#options.key, text);
  }
}

type StoredGroup = Omit<LogGroup, "files" | "ties"> & {
  readonly hashes: readonly string[];
  readonly ties: Omit<FileTies, "ids"> & { readonly ids: string };
};

// The seal guarantees that this build wrote the file, so checking the outline is enough.
function isStored(group: unknown): group is StoredGroup {
  return isObject(group) && Array.isArray(group["hashes"]);
}

export function readIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile()) return undefined;
  // ctime cannot be set back, unlike mtime.
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

export function locateGroupCache(folder: string, client: string): string {
  return join(folder, `${client}.groups`);
}
