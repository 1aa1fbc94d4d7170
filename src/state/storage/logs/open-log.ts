import type { FileCounts, ReadLog } from "#history/imports/merge-logs.ts";
import type { Importer, LogReader, ReaderTools } from "#history/imports/importer.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import type { LogFile } from "./find-logs.ts";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { keyedSha256 } from "#kit/os/hash.ts";
import { parseCacheText, readCacheText, writeCacheText } from "../caches.ts";

const sharedTextsMax = 1_000;

export type LogTools = Omit<ReaderTools, "emit" | "countBad" | "countUnknown">;

type ReadBeginning = ReadLog & { readonly state: unknown };

export class OpenLog {
  readonly #events: LogEvent[];
  readonly #counts: { -readonly [name in keyof FileCounts]: number };
  readonly #reader: LogReader;
  readonly #texts = new Map<string, string>();

  // If the beginning is known, takes only the lines after it, including one that was torn.
  constructor(
    importer: Importer,
    { path }: Pick<LogFile, "path">,
    tools: LogTools,
    beginning?: ReadBeginning,
  ) {
    this.#events = [...(beginning?.events ?? [])];
    const { bad = 0, unknown = 0 } = beginning?.counts ?? {};
    this.#counts = { bad, torn: 0, unknown };
    this.#reader = importer.open(
      { path },
      {
        ...tools,
        emit: (event) => void this.#events.push(this.#shareTexts(event)),
        countBad: () => this.skip(1),
        countUnknown: () => this.countUnknown(),
      },
      beginning?.state,
    );
  }

  get badLines(): number {
    return this.#counts.bad;
  }

  take(line: Uint8Array): void {
    if (line.length > 0 && this.#reader.skips?.(line) !== true && !this.#tryTake(line)) {
      this.#counts.bad += 1;
    }
  }

  takeLast(line: Uint8Array): boolean {
    const isWhole = line.length === 0 || this.#tryTake(line);
    if (!isWhole) this.#counts.torn += 1;
    return isWhole;
  }

  takeRow(table: string, row: JsonObject): void {
    try {
      this.#reader.take({ table, row });
    } catch {
      this.skip(1);
    }
  }

  skip(lines: number): void {
    this.#counts.bad += lines;
  }

  countUnknown(): void {
    this.#counts.unknown += 1;
  }

  result(): ReadLog {
    const counts: FileCounts = { ...this.#counts };
    return { events: this.#events, counts };
  }

  state(): unknown {
    return this.#reader.state();
  }

  // Events share texts: copies would take a third of an import's memory.
  #shareTexts(event: LogEvent): LogEvent {
    const conversation = this.#shareText(event.conversation);
    if (!("model" in event) || event.model === null) return Object.assign(event, { conversation });
    return Object.assign(event, { conversation, model: this.#shareText(event.model) });
  }

  #shareText(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < sharedTextsMax) this.#texts.set(text, text);
    return text;
  }

  #tryTake(line: Uint8Array): boolean {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
    try {
      const value: unknown = JSON.parse(text);
      if (!isObject(value)) return false;
      // A value nested too deeply for the reader is not a line of any client.
      this.#reader.take(value);
      return true;
    } catch {
      return text.trim() === "";
    }
  }
}

const importCacheEntryBytesMax = 64 * 1024 * 1024;

const importCacheBytesMax = 512 * 1024 * 1024;

export type KnownLog = ReadLog & {
  readonly identity: string;
  readonly bytes: number;
  readonly hash: string;
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

// Events of logs read before, one file each. The log of a faulty entry is silently read again.
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
    typeof value["hash"] === "string" &&
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

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another import removed it, or the folder is read-only.
  }
}
