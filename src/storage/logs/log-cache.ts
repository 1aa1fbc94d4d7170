import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { importCacheBytesMax, importCacheEntryBytesMax } from "#limits/import.ts";
import type { ReadLog } from "#imports/merge-logs.ts";
import { keyedSha256 } from "#os/sha256.ts";
import { isObject } from "#wire/json.ts";
import { jsonIn, readCacheText, writeCacheText } from "../cache-file.ts";

/** A log as it was read. */
export type KnownLog = ReadLog & {
  /** Differs from that of the file after any change. */
  readonly identity: string;
  /** Bytes that were read, and their SHA-256, hexadecimal. */
  readonly bytes: number;
  readonly hash: string;
  /** Where the first line begins that was not whole. */
  readonly resumeAt: number;
  /** That of the reader, for the lines after these. */
  readonly state: unknown;
};

/** The layout of an entry. */
const format = "imported-log/2";

/** The choices of a cache. */
export type LogCacheOptions = {
  /** Absolute. */
  readonly folder: string;
  /** The secret of this installation: entries are named by it, so that they name no file. */
  readonly key: string;
  /** Events that another build has made are not used, and are replaced. */
  readonly build: string;
  /** The client and the choice of tokens: each has entries of its own. */
  readonly variant: string;
};

/**
 * The events of logs that were read before, one file each, in the state folder. It is only a cache: when anything is wrong
 * with an entry, the log is read again without a word.
 */
export class LogCache {
  readonly #options: LogCacheOptions;

  constructor(options: LogCacheOptions) {
    this.#options = options;
  }

  /** The entry of a log; undefined when there is none that can be used. */
  read(file: string): KnownLog | undefined {
    const text = readCacheText(this.#path(file), importCacheEntryBytesMax) ?? "";
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== this.#seal(body)) return undefined;
    const log = jsonIn(body);
    return isKnownLog(log) ? log : undefined;
  }

  write(file: string, log: KnownLog): void {
    const body = JSON.stringify(log);
    writeCacheText(this.#path(file), `${this.#seal(body)}\n${body}`);
  }

  /** Removes the oldest entries beyond the size of a cache. Never throws. */
  prune(bytesMax: number = importCacheBytesMax): void {
    const { folder } = this.#options;
    const entries = entriesOf(folder).toSorted((one, other) => other.changedMs - one.changedMs);
    let bytes = 0;
    for (const { path, size } of entries) {
      bytes += size;
      if (bytes > bytesMax) removeQuietly(path);
    }
  }

  /** The first line of an entry: a hash of all else, so that a damaged one is not used. */
  #seal(body: string): string {
    const { key, build } = this.#options;
    return keyedSha256(key, `${format}\n${build}\n${body}`);
  }

  #path(file: string): string {
    const { folder, key, variant } = this.#options;
    return join(folder, `${keyedSha256(key, `${variant}\n${file}`)}.json`);
  }
}

/** Text that is another one after any change of a file; undefined when it is missing. */
export function logIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile()) return undefined;
  // The time of the last change of the file itself cannot be set back, as that of its content can.
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

function isKnownLog(value: unknown): value is KnownLog {
  return (
    isObject(value) &&
    Array.isArray(value["events"]) &&
    isObject(value["counts"]) &&
    typeof value["identity"] === "string" &&
    typeof value["hash"] === "string" &&
    Number.isSafeInteger(value["bytes"]) &&
    Number.isSafeInteger(value["resumeAt"])
  );
}

type Entry = { readonly path: string; readonly size: number; readonly changedMs: number };

function entriesOf(folder: string): readonly Entry[] {
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

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another import removed it, or the folder is read-only.
  }
}
