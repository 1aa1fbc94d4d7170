import { importLineBytesMax } from "#kit/limits.ts";
import type { Importer } from "#history/imports/importer.ts";
import type { ReadLog } from "#history/imports/merge-logs.ts";
import { readWholeFile, openToRead } from "#kit/os/open-file.ts";
import { ByteHash } from "#kit/os/hash.ts";
import type { LogFile } from "./find-logs.ts";
import { type LogTools, OpenLog } from "./open-log.ts";
import { type PackedLog, packLog, unpackLog } from "./packed-log.ts";
import { type KnownLog, type LogCache, readIdentity } from "./log-cache.ts";
import { readDatabase, readStable } from "./read-database.ts";
import { newline } from "#kit/text/ascii.ts";
import { closeSync, readSync } from "node:fs";
import { importGarbageBytesMax } from "../../limits.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { type TakeChunk, takePacked } from "../packed-files.ts";
import { GarbageCollector } from "../read-records.ts";

type TakeLine = (bytes: Buffer, from: number, to: number) => void;

// Lines of more than `bytesMax` are counted and left out.
export class LogLines {
  readonly #take: TakeLine;
  readonly #bytesMax: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #tooLong = 0;

  constructor(take: TakeLine, bytesMax: number = importLineBytesMax) {
    this.#take = take;
    this.#bytesMax = bytesMax;
  }

  get tooLong(): number {
    return this.#tooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      if (this.#pendingBytes > 0) this.#endPending(chunk.subarray(from, end));
      else if (end - from > this.#bytesMax) this.#tooLong += 1;
      else if (from < end) this.#take(chunk, from, end);
      from = end + 1;
    }
    if (from < chunk.length) this.#addPending(chunk.subarray(from));
  }

  end(): Buffer | undefined {
    if (this.#pendingBytes <= this.#bytesMax) return this.#joinPending();
    this.#tooLong += 1;
    return undefined;
  }

  #endPending(segment: Buffer): void {
    if (segment.length > 0) this.#addPending(segment);
    const line = this.end();
    if (line) this.#take(line, 0, line.length);
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #addPending(segment: Buffer): void {
    this.#pendingBytes += segment.length;
    if (this.#pendingBytes > this.#bytesMax) this.#pending = [];
    else this.#pending.push(Buffer.from(segment));
  }

  #joinPending(): Buffer {
    const [first] = this.#pending;
    return this.#pending.length === 1 && first ? first : Buffer.concat(this.#pending);
  }
}

type LogOutcome = PackedLog | { readonly fault: string };

export async function readLog(
  importer: Importer,
  log: LogFile,
  tools: LogTools,
  cache?: LogCache,
): Promise<LogOutcome> {
  if (log.form === "database") return readRows(importer, log, tools);
  if (log.form === "lines") return readLines(importer, log, tools, cache);
  const openLog = new OpenLog(importer, log.path, tools);
  const fault = readDocument(log.file, openLog);
  return fault === undefined ? packLog(openLog.result()) : { fault };
}

async function readLines(
  importer: Importer,
  log: LogFile,
  tools: LogTools,
  cache: LogCache | undefined,
): Promise<LogOutcome> {
  const identity = cache && readIdentity(log.file);
  if (!identity) {
    const read = await readRemaining(log.file, new OpenLog(importer, log.path, tools));
    return "fault" in read ? read : packLog(read.log);
  }
  const known = cache.read(log.file);
  if (known?.identity === identity) return known;
  const hash = new ByteHash();
  const mayGrow = known !== undefined && !log.file.endsWith(packedEnding);
  const isGrown = mayGrow && (await hasBeginning(log.file, known, hash));
  const beginning = isGrown ? { ...unpackLog(known), state: known.state } : undefined;
  const openLog = new OpenLog(importer, log.path, tools, beginning);
  const position = isGrown ? known : { resumeAt: 0, bytes: 0 };
  const newHash = isGrown ? hash : new ByteHash();
  const read = await readRemaining(log.file, openLog, { ...position, hash: newHash });
  if ("fault" in read) return read;
  const { bytes, resumeAt } = read;
  const packed = packLog(read.log);
  const state = openLog.state();
  cache.write(log.file, { ...packed, identity, bytes, resumeAt, digest: newHash.digest(), state });
  return packed;
}

async function hasBeginning(
  path: string,
  { bytes, digest }: KnownLog,
  hash: ByteHash,
): Promise<boolean> {
  let remaining = bytes;
  const fault = await takeLogBytes(path, (chunk) => {
    const segment = chunk.subarray(0, remaining);
    hash.update(segment);
    remaining -= segment.length;
    return remaining > 0;
  });
  return fault === undefined && remaining === 0 && hash.digest() === digest;
}

type ReadPosition = {
  readonly resumeAt: number;
  readonly bytes: number;
  readonly hash: ByteHash;
};

type ReadEnd =
  | { readonly fault: string }
  | { readonly log: ReadLog; readonly bytes: number; readonly resumeAt: number };

const badLinesMax = 100_000;

async function readRemaining(
  path: string,
  openLog: OpenLog,
  position?: ReadPosition,
): Promise<ReadEnd> {
  const lines = new LogLines((bytes, from, to) => openLog.take(bytes, from, to));
  let at = position?.resumeAt ?? 0;
  const fault = await takeLogBytes(
    path,
    (chunk) => {
      if (position) position.hash.update(chunk.subarray(Math.max(0, position.bytes - at)));
      at += chunk.length;
      lines.push(chunk);
      return openLog.badLines <= badLinesMax;
    },
    at,
  );
  if (fault !== undefined) return { fault };
  if (openLog.badLines > badLinesMax) {
    return { fault: `over ${badLinesMax.toLocaleString("en-US")} of its lines cannot be read` };
  }
  const last = lines.end();
  const isWhole = openLog.takeLast(last ?? Buffer.alloc(0));
  openLog.skip(lines.tooLong);
  return { log: openLog.result(), bytes: at, resumeAt: isWhole ? at : at - (last?.length ?? 0) };
}

function readRows(importer: Importer, log: LogFile, tools: LogTools): LogOutcome {
  return readStable(log.file, (database): LogOutcome => {
    const openLog = new OpenLog(importer, log.path, tools);
    const fault = readDatabase(database, importer.queries ?? [], openLog);
    return fault === undefined ? packLog({ ...openLog.result(), isDatabase: true }) : { fault };
  });
}

function readDocument(path: string, openLog: OpenLog): string | undefined {
  const content = readWholeFile(path, importLineBytesMax);
  if ("fault" in content) return content.fault;
  const { buffer, byteOffset, length } = content.bytes;
  openLog.take(Buffer.from(buffer, byteOffset, length), 0, length);
  return undefined;
}

export const importReadBytesMax = 1024 * 1024;

const garbage = new GarbageCollector(importGarbageBytesMax);

// Kept for the next file: allocating it takes longer than reading a small file.
let sharedChunk: Buffer | undefined;

// Reads until `take` returns false; reuses the buffer. Returns a fault if the file cannot be read.
export async function takeLogBytes(
  path: string,
  take: TakeChunk,
  fromByte: number = 0,
): Promise<string | undefined> {
  const takePackedLog = (file: string): Promise<string | undefined> =>
    takePacked(file, (chunk) => {
      garbage.add(chunk.length);
      return take(chunk);
    });
  if (path.endsWith(packedEnding)) return takePackedLog(path);
  const fault = takePlain(path, take, fromByte);
  if (fault !== "ENOENT" || !path.endsWith(".jsonl")) return fault;
  const packedFault = await takePackedLog(`${path}${packedEnding}`);
  return packedFault === "ENOENT" ? fault : packedFault;
}

const packedEnding = ".zst";

function takePlain(path: string, take: TakeChunk, fromByte: number): string | undefined {
  const opened = openToRead(path);
  if ("fault" in opened) return opened.fault;
  sharedChunk ??= Buffer.alloc(importReadBytesMax);
  try {
    for (let at = fromByte; ;) {
      const read = readSync(opened.fd, sharedChunk, 0, sharedChunk.length, at);
      if (read === 0) return undefined;
      if (!take(sharedChunk.subarray(0, read))) return undefined;
      garbage.add(read);
      at += read;
    }
  } catch (error) {
    return readErrorCode(error);
  } finally {
    closeSync(opened.fd);
  }
}
