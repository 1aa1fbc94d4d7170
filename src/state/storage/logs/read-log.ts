import { importLineBytesMax } from "#kit/limits.ts";
import type { Importer, LogReader, ReaderUtils } from "#history/imports/importer.ts";
import { readWholeFile, openToRead } from "#kit/os/open-file.ts";
import type { LogFile } from "./find-logs.ts";
import { readDatabase, readStable, importGarbageBytesMax } from "./read-database.ts";
import { newline } from "#kit/text/ascii.ts";
import { closeSync, readSync } from "node:fs";
import { attempt, tryParseJson } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { type TakeChunk, takePacked } from "../compressed-files.ts";
import { GarbageCollector } from "../read-records.ts";
import { type FileCounts, noFileCounts, type ReadLog } from "#history/imports/merge-logs.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import type { MemberParser } from "#history/imports/member-parser.ts";
import { isObject, type JsonObject } from "#wire/json.ts";

type TakeLine = (bytes: Buffer, from: number, to: number) => void;

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

export type LogOutcome = ReadLog | { readonly fault: string };

export async function readLog(
  log: LogFile,
  importer: Importer,
  utils: LogUtils,
): Promise<LogOutcome> {
  if (log.form === "database") return readRows(importer, log, utils);
  const openLog = new OpenLog(importer, log.path, utils);
  const fault =
    log.form === "lines" ? await readLines(log.file, openLog) : readDocument(log.file, openLog);
  return fault === undefined ? openLog.result() : { fault };
}

const badLinesMax = 100_000;

async function readLines(path: string, openLog: OpenLog): Promise<string | undefined> {
  const lines = new LogLines((chunk, from, to) => openLog.take(chunk, from, to));
  const fault = await takeLogBytes(path, (chunk) => {
    lines.push(chunk);
    return openLog.badLines <= badLinesMax;
  });
  if (fault !== undefined) return fault;
  if (openLog.badLines > badLinesMax) {
    return `over ${badLinesMax.toLocaleString("en-US")} of its lines cannot be read`;
  }
  openLog.takeLast(lines.end() ?? Buffer.alloc(0));
  openLog.skip(lines.tooLong);
  return undefined;
}

function readRows(importer: Importer, log: LogFile, utils: LogUtils): LogOutcome {
  return readStable(log.file, (database): LogOutcome => {
    const openLog = new OpenLog(importer, log.path, utils);
    const fault = readDatabase(database, importer.queries ?? [], openLog);
    return fault === undefined ? { ...openLog.result(), isDatabase: true } : { fault };
  });
}

function readDocument(path: string, openLog: OpenLog): string | undefined {
  const content = readWholeFile(path, importLineBytesMax);
  if ("fault" in content) return content.fault;
  const { buffer, byteOffset, length } = content.bytes;
  openLog.takeDocument(Buffer.from(buffer, byteOffset, length).toString());
  return undefined;
}

export const importReadBytesMax = 1024 * 1024;

const garbage = new GarbageCollector(importGarbageBytesMax);

// This buffer is kept for the next file: allocating one takes longer than reading a small file.
let sharedChunk: Buffer | undefined;

// Reads until `take` returns false. `take` must copy bytes to keep them, because the buffer is reused.
// If a `.jsonl` file is missing, reads `.jsonl.zst`, because the client may pack a log after we listed it.
// Returns a fault if the log cannot be read.
export async function takeLogBytes(path: string, take: TakeChunk): Promise<string | undefined> {
  const takePackedLog = (file: string): Promise<string | undefined> =>
    takePacked(file, (chunk) => {
      garbage.add(chunk.length);
      return take(chunk);
    });
  if (path.endsWith(packedEnding)) return takePackedLog(path);
  const fault = takePlain(path, take);
  if (fault !== "ENOENT" || !path.endsWith(".jsonl")) return fault;
  const packedFault = await takePackedLog(`${path}${packedEnding}`);
  return packedFault === "ENOENT" ? fault : packedFault;
}

const packedEnding = ".zst";

function takePlain(path: string, take: TakeChunk): string | undefined {
  const opened = openToRead(path);
  if ("fault" in opened) return opened.fault;
  sharedChunk ??= Buffer.alloc(importReadBytesMax);
  try {
    for (let at = 0; ;) {
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

export type LogUtils = Omit<ReaderUtils, "emit" | "countBad" | "countUnknown">;

export class OpenLog {
  readonly #events: LogEvent[] = [];
  readonly #counts: { -readonly [name in keyof FileCounts]: number } = { ...noFileCounts };
  readonly #reader: LogReader;
  readonly #parser: MemberParser | undefined;

  constructor(importer: Importer, path: string, utils: LogUtils) {
    this.#parser = importer.lines;
    this.#reader = importer.open(path, {
      ...utils,
      emit: (event) => void this.#events.push(event),
      countBad: () => this.skip(1),
      countUnknown: () => this.countUnknown(),
    });
  }

  get badLines(): number {
    return this.#counts.bad;
  }

  take(bytes: Buffer, from: number, to: number): void {
    if (from < to && !this.#tryTake(bytes, from, to)) this.skip(1);
  }

  takeLast(line: Buffer): void {
    if (line.length > 0 && !this.#tryTake(line, 0, line.length)) this.#counts.torn += 1;
  }

  takeDocument(text: string): void {
    const value = text.trim() === "" ? [] : tryParseJson(text);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) {
      if (!isObject(item) || !this.#tryRead(item)) this.skip(1);
    }
  }

  takeRow(table: string, row: JsonObject): void {
    if (!this.#tryRead({ table, row })) this.skip(1);
  }

  skip(lines: number): void {
    this.#counts.bad += lines;
  }

  countUnknown(): void {
    this.#counts.unknown += 1;
  }

  result(): ReadLog {
    return { events: this.#events, counts: this.#counts };
  }

  #tryTake(bytes: Buffer, from: number, to: number): boolean {
    // Throws if a value is nested too deeply.
    const members = attempt(() => this.#parser?.parse(bytes, from, to));
    if (members) return this.#tryRead(members);
    const text = bytes.toString("utf8", from, to);
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) && this.#tryRead(value);
    } catch {
      return text.trim() === "";
    }
  }

  // False if the reader throws, for example because the value is nested too deeply.
  #tryRead(value: JsonObject): boolean {
    try {
      this.#reader.take(value);
      return true;
    } catch {
      return false;
    }
  }
}
