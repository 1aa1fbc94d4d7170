import type { ReadLog } from "#history/imports/merge-logs.ts";
import { isObject } from "#wire/json.ts";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { keyedSha256 } from "#kit/os/hash.ts";
import { parseCacheText, readCacheText, removeQuietly, writeCacheText } from "../caches.ts";

const importCacheEntryBytesMax = 64 * 1024 * 1024;

const importCacheBytesMax = 512 * 1024 * 1024;

export type KnownLog = ReadLog & {
  readonly identity: string;
  readonly bytes: number;
  readonly digest: string;
  readonly resumeAt: number;
  readonly state: unknown;
};

const format = "imported-log/2";

type LogCacheOptions = {
  readonly folder: string;
  // Entries are named by a keyed hash, so that they reveal no file name.
  readonly key: string;
  readonly build: string;
  readonly variant: string;
};

// Keeps the events of logs, one file each. If an entry is faulty, its log is silently read again.
export class LogCache {
  readonly #options: LogCacheOptions;

  constructor(options: LogCacheOptions) {
    this.#options = options;
  }

  read(file: string): KnownLog | undefined {
    const text = readCacheText(this.#path(file), importCacheEntryBytesMax) ?? "";
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== this.#seal(body)) return undefined;
    const log = parseCacheText(body);
    return isKnownLog(log) ? log : undefined;
  }

  write(file: string, log: KnownLog): void {
    const body = JSON.stringify(log);
    writeCacheText(this.#path(file), `${this.#seal(body)}\n${body}`);
  }

  prune(bytesMax: number = importCacheBytesMax): void {
    const { folder } = this.#options;
    const entries = listEntries(folder).toSorted((a, b) => b.changedMs - a.changedMs);
    let bytes = 0;
    for (const { path, size } of entries) {
      bytes += size;
      if (bytes > bytesMax) removeQuietly(path);
    }
  }

  #seal(body: string): string {
    const { key, build } = this.#options;
    return keyedSha256(key, `${format}\n${build}\n${body}`);
  }

  #path(file: string): string {
    const { folder, key, variant } = this.#options;
    return join(folder, `${keyedSha256(key, `${variant}\n${file}`)}.json`);
  }
}

export function readIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile()) return undefined;
  // ctime cannot be set back, unlike mtime.
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

function isKnownLog(value: unknown): value is KnownLog {
  return (
    isObject(value) &&
    Array.isArray(value["events"]) &&
    isObject(value["counts"]) &&
    typeof value["identity"] === "string" &&
    typeof value["digest"] === "string" &&
    Number.isSafeInteger(value["bytes"]) &&
    Number.isSafeInteger(value["resumeAt"])
  );
}

type Entry = { readonly path: string; readonly size: number; readonly changedMs: number };

function listEntries(folder: string): readonly Entry[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats?.isFile() ? [{ path, size: stats.size, changedMs: stats.mtimeMs }] : [];
    });
  } catch {
    return [];
  }
}
