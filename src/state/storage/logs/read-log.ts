import { importLineBytesMax } from "#kit/limits.ts";
import type { Importer, LogReader, ReaderTools } from "#history/imports/importer.ts";
import { readWholeFile, openToRead } from "#kit/os/open-file.ts";
import { ByteHash } from "#kit/os/hash.ts";
import type { LogFile } from "./find-logs.ts";
import {
  type PackedLog,
  packLog,
  unpackLog,
  type KnownLog,
  type LogCache,
  readIdentity,
} from "./log-cache.ts";
import { readDatabase, readStable } from "./read-database.ts";
import { newline } from "#kit/text/ascii.ts";
import { closeSync, readSync } from "node:fs";
import { importGarbageBytesMax } from "../../limits.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { type TakeChunk, takePacked, GarbageCollector } from "../read-records.ts";
import type { FileCounts, ReadLog } from "#history/imports/merge-logs.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import type { MemberParser } from "#history/imports/wanted-members.ts";
import { isObject, type JsonObject } from "#wire/json.ts";

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

export type LogOutcome = PackedLog | { readonly fault: string };

// A log in lines, from its first byte, with everything that a later import needs to read on.
export type WholeLog = {
  readonly packed: PackedLog;
  readonly bytes: number;
  readonly resumeAt: number;
  readonly digest: string;
  readonly state: unknown;
};

export type WholeOutcome = WholeLog | { readonly fault: string };

export type LogContext = {
  readonly importer: Importer;
  readonly tools: LogTools;
  readonly cache?: LogCache | undefined;
  // Elsewhere than in this thread.
  readonly readWhole?: ((log: LogFile) => Promise<WholeOutcome>) | undefined;
};

export async function readLog(log: LogFile, context: LogContext): Promise<LogOutcome> {
  const { importer, tools } = context;
  if (log.form === "database") return readRows(importer, log, tools);
  if (log.form === "lines") return readLines(log, context);
  const openLog = new OpenLog(importer, log.path, tools);
  const fault = readDocument(log.file, openLog);
  return fault === undefined ? packLog(openLog.result()) : { fault };
}

async function readLines(log: LogFile, context: LogContext): Promise<LogOutcome> {
  const { importer, tools, cache } = context;
  const readWhole =
    context.readWhole ?? ((file) => readWholeLog(importer, file, tools, cache !== undefined));
  const identity = cache && readIdentity(log.file);
  const known = identity === undefined ? undefined : cache?.read(log.file);
  if (known && known.identity === identity) return known;
  const read = (known && (await readOn(log, known, context))) ?? (await readWhole(log));
  if ("fault" in read) return read;
  const { packed, ...position } = read;
  if (identity !== undefined) cache?.write(log.file, { ...packed, ...position, identity });
  return packed;
}

export async function readWholeLog(
  importer: Importer,
  log: LogFile,
  tools: LogTools,
  isDigested: boolean,
): Promise<WholeOutcome> {
  const openLog = new OpenLog(importer, log.path, tools);
  const hash = isDigested ? new ByteHash() : undefined;
  return readToEnd(log.file, openLog, { resumeAt: 0, bytes: 0, hash });
}

// Reads the lines after a beginning that is known. Undefined if the file no longer has it.
async function readOn(
  log: LogFile,
  known: KnownLog,
  { importer, tools }: LogContext,
): Promise<WholeOutcome | undefined> {
  if (log.file.endsWith(packedEnding)) return undefined;
  const hash = new ByteHash();
  if (!(await hasBeginning(log.file, known, hash))) return undefined;
  const beginning = { ...unpackLog(known), state: known.state };
  const openLog = new OpenLog(importer, log.path, tools, beginning);
  return readToEnd(log.file, openLog, { ...known, hash });
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
  // Undefined if no later import reads on.
  readonly hash: ByteHash | undefined;
};

const badLinesMax = 100_000;

async function readToEnd(
  path: string,
  openLog: OpenLog,
  { resumeAt, bytes, hash }: ReadPosition,
): Promise<WholeOutcome> {
  const lines = new LogLines((chunk, from, to) => openLog.take(chunk, from, to));
  let at = resumeAt;
  const fault = await takeLogBytes(
    path,
    (chunk) => {
      hash?.update(chunk.subarray(Math.max(0, bytes - at)));
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
  return {
    packed: packLog(openLog.result()),
    bytes: at,
    resumeAt: isWhole ? at : at - (last?.length ?? 0),
    digest: hash?.digest() ?? "",
    state: openLog.state(),
  };
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

export type LogTools = Omit<ReaderTools, "emit" | "countBad" | "countUnknown">;

type ReadBeginning = ReadLog & { readonly state: unknown };

export class OpenLog {
  readonly #events: LogEvent[];
  readonly #counts: { -readonly [name in keyof FileCounts]: number };
  readonly #reader: LogReader;
  readonly #parser: MemberParser | undefined;

  // If the beginning is known, takes only the lines after it, including one that was torn.
  constructor(importer: Importer, path: string, tools: LogTools, beginning?: ReadBeginning) {
    this.#events = [...(beginning?.events ?? [])];
    this.#parser = importer.lines;
    const { bad = 0, unknown = 0 } = beginning?.counts ?? {};
    this.#counts = { bad, torn: 0, unknown };
    this.#reader = importer.open(
      path,
      {
        ...tools,
        emit: (event) => void this.#events.push(event),
        countBad: () => this.skip(1),
        countUnknown: () => this.countUnknown(),
      },
      beginning?.state,
    );
  }

  get badLines(): number {
    return this.#counts.bad;
  }

  take(bytes: Buffer, from: number, to: number): void {
    if (from < to && !this.#tryTake(bytes, from, to)) this.skip(1);
  }

  takeLast(line: Buffer): boolean {
    const isWhole = line.length === 0 || this.#tryTake(line, 0, line.length);
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

  #tryTake(bytes: Buffer, from: number, to: number): boolean {
    const members = this.#parser?.parse(bytes, from, to);
    if (members) return this.#tryRead(members);
    const text = bytes.toString("utf8", from, to);
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) && this.#tryRead(value);
    } catch {
      return text.trim() === "";
    }
  }

  // A value nested too deeply for the reader is not a line of any client.
  #tryRead(value: JsonObject): boolean {
    try {
      this.#reader.take(value);
      return true;
    } catch {
      return false;
    }
  }
}
