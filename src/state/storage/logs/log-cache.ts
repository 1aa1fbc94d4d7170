import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isObject } from "#wire/json.ts";
import { newline } from "#kit/text/ascii.ts";
import { keyedSha256 } from "#kit/os/hash.ts";
import { parseCacheText, removeQuietly } from "../cache-file.ts";
import { type FileTies, findTies } from "#history/imports/file-groups.ts";
import { packEvents, unpackEvents } from "#history/imports/packed-events.ts";
import type { FileCounts, ReadLog } from "#history/imports/merge-logs.ts";
import { importGarbageBytesMax } from "../../limits.ts";
import { packText, unpackText, GarbageCollector } from "../read-records.ts";

// The events of one log, compressed: a history of a gigabyte takes some 40 MB.
export type PackedLog = {
  readonly counts: FileCounts;
  readonly isDatabase: boolean;
  readonly ties: FileTies;
  readonly events: Uint8Array;
};

const garbage = new GarbageCollector(importGarbageBytesMax);

export function packLog({ events, counts, isDatabase = false }: ReadLog): PackedLog {
  const text = packEvents(events);
  garbage.add(text.length);
  return { counts, isDatabase, ties: findTies(events), events: packText(text) };
}

export function unpackLog({ counts, isDatabase, events: packed }: PackedLog): ReadLog {
  const text = unpackText(packed);
  garbage.add(text.length);
  return { events: unpackEvents(text), counts, ...(isDatabase ? { isDatabase } : {}) };
}

export const importCacheBytesMax = 512 * 1024 * 1024;

export type KnownLog = PackedLog & {
  readonly identity: string;
  readonly bytes: number;
  readonly digest: string;
  readonly resumeAt: number;
  readonly state: unknown;
};

const format = "imported-logs/1";

// An interrupted import loses at most these bytes.
const pendingBytesMax = 1024 * 1024;

const entryHeaderBytesMax = 1_024;

type LogCacheOptions = {
  readonly folder: string;
  // Entries are named by a keyed hash, so that they reveal no file name.
  readonly key: string;
  readonly build: string;
  readonly variant: string;
};

type Entry = { readonly seal: string; readonly body: Uint8Array };

// Keeps the events of all logs of a client in one file, to which it appends: the last entry of a log counts.
// If an entry is faulty, its log is silently read again.
export class LogCache {
  readonly #options: LogCacheOptions;
  readonly #file: string;
  #entries: Map<string, Entry> | undefined;
  readonly #used = new Set<string>();
  readonly #pending: Buffer[] = [];
  #pendingBytes = 0;
  #bytes = 0;
  #isDamaged = false;

  constructor(options: LogCacheOptions) {
    this.#options = options;
    this.#file = join(options.folder, `${this.#hash(options.variant)}.logs`);
  }

  read(file: string): KnownLog | undefined {
    const name = this.#hash(file);
    this.#used.add(name);
    const entry = this.#load().get(name);
    return entry?.seal === this.#seal(name, entry?.body) ? parseBody(entry.body) : undefined;
  }

  write(file: string, log: KnownLog): void {
    const name = this.#hash(file);
    const body = formatBody(log);
    const entry = { seal: this.#seal(name, body), body };
    this.#load().set(name, entry);
    const bytes = formatEntry(name, entry);
    this.#bytes += bytes.length;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > pendingBytesMax) this.#append();
  }

  #append(): void {
    const pending = this.#pending.splice(0);
    this.#pendingBytes = 0;
    if (pending.length === 0) return;
    try {
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, Buffer.concat(pending), { mode: 0o600 });
    } catch {
      this.#isDamaged = true;
    }
  }

  // Writes the last entries. Drops older ones of the same logs once they are half of the file, and above the limit
  // also those of logs that this run did not read.
  close(bytesMax: number = importCacheBytesMax): void {
    this.#append();
    if (!this.#entries) return;
    let live = [...this.#entries];
    const liveBytes = live.reduce((sum, [, { body }]) => sum + body.length, 0);
    if (liveBytes > bytesMax) live = live.filter(([name]) => this.#used.has(name));
    if (!this.#isDamaged && this.#bytes <= 2 * liveBytes && this.#bytes <= bytesMax) return;
    const fresh = `${this.#file}.${crypto.randomUUID()}`;
    try {
      const fd = openSync(fresh, "wx", 0o600);
      for (const [name, entry] of live) writeSync(fd, formatEntry(name, entry));
      closeSync(fd);
      renameSync(fresh, this.#file);
    } catch {
      removeQuietly(fresh);
    }
  }

  #load(): Map<string, Entry> {
    if (this.#entries) return this.#entries;
    const bytes = readPack(this.#file);
    this.#entries = new Map();
    this.#bytes = bytes.length;
    let at = 0;
    while (at < bytes.length) {
      const header = parseHeader(bytes, at);
      if (!header || header.end > bytes.length) break;
      const { name, seal, bodyAt, end } = header;
      this.#entries.set(name, { seal, body: bytes.subarray(bodyAt, end) });
      at = end;
    }
    this.#isDamaged = at < bytes.length;
    return this.#entries;
  }

  #seal(name: string, body: Uint8Array | undefined): string {
    const { key, build } = this.#options;
    return keyedSha256(key, `${format}\n${build}\n${name}\n`, body ?? "");
  }

  #hash(text: string): string {
    return keyedSha256(this.#options.key, text);
  }
}

function readPack(file: string): Buffer {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return size === 0 || size > 2 * importCacheBytesMax ? Buffer.alloc(0) : readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function formatEntry(name: string, { seal, body }: Entry): Buffer {
  const header = JSON.stringify({ format, name, seal, bytes: body.length });
  return Buffer.concat([Buffer.from(`${header}\n`), body]);
}

type Header = {
  readonly name: string;
  readonly seal: string;
  readonly bodyAt: number;
  readonly end: number;
};

function parseHeader(bytes: Buffer, at: number): Header | undefined {
  const end = bytes.subarray(at, at + entryHeaderBytesMax).indexOf(newline);
  if (end < 0) return undefined;
  const header = parseCacheText(bytes.toString("utf8", at, at + end));
  if (!isObject(header) || header["format"] !== format) return undefined;
  const { name, seal, bytes: bodyBytes } = header;
  if (typeof name !== "string" || typeof seal !== "string") return undefined;
  if (typeof bodyBytes !== "number" || !Number.isSafeInteger(bodyBytes) || bodyBytes < 0) {
    return undefined;
  }
  const bodyAt = at + end + 1;
  return { name, seal, bodyAt, end: bodyAt + bodyBytes };
}

function formatBody({ ties, events, ...facts }: KnownLog): Uint8Array {
  const { ids, ...times } = ties;
  const rawIds = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
  const head = JSON.stringify({ ...facts, ...times, ids: ids.length });
  return Buffer.concat([Buffer.from(`${head}\n`), rawIds, events]);
}

function parseBody(body: Uint8Array): KnownLog | undefined {
  const headEnd = body.indexOf(newline);
  const head = parseCacheText(Buffer.from(body.subarray(0, headEnd)).toString());
  if (!isKnownHead(head)) return undefined;
  const { beganMs, totalsBeganMs, ids: idCount, ...facts } = head;
  const eventsAt = headEnd + 1 + 4 * idCount;
  // A copy: the ids need not begin at a multiple of four.
  const ids = new Uint32Array(new Uint8Array(body.subarray(headEnd + 1, eventsAt)).buffer);
  return { ...facts, ties: { ids, beganMs, totalsBeganMs }, events: body.subarray(eventsAt) };
}

type KnownHead = Omit<KnownLog, "ties" | "events"> & {
  readonly beganMs: readonly number[];
  readonly totalsBeganMs: readonly number[];
  readonly ids: number;
};

// Sealed, so only a head of this build arrives here.
function isKnownHead(head: unknown): head is KnownHead {
  return isObject(head) && Array.isArray(head["beganMs"]) && Number.isSafeInteger(head["ids"]);
}

export function readIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile()) return undefined;
  // ctime cannot be set back, unlike mtime.
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}
