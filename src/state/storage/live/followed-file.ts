import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { inputReadBytesMax } from "#kit/limits.ts";
import { recordLineBytesMax } from "../../limits.ts";
import { LineSplitter } from "#wire/line.ts";

// The meter of a file that was moved away notices within 1,000.
export const rotatedFileMs = 2_500;

/** Without the newline; `isNew` is false for a line that was there before. */
export type TakeLine = (bytes: Uint8Array, isNew: boolean) => void;

// Without O_NONBLOCK, opening a FIFO would never return.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type Reading = {
  readonly fd: number;
  readonly inode: number;
  readonly splitter: LineSplitter;
  oldBytes: number;
  readBytes: number;
  lineEnd: number;
};

/** Follows a file that grows, is moved away and made again, cut, or removed. A line is taken once it has its end. */
export class FollowedFile {
  readonly #path: string;
  #oldBytes: number;
  #current: Reading | undefined;
  /** The writer notices the new file up to a second later. */
  #replaced: { readonly reading: Reading; readonly sinceMs: number } | undefined;

  constructor(path: string, oldBytes: number) {
    this.#path = path;
    this.#oldBytes = oldBytes;
  }

  get lineEnd(): number {
    return this.#current?.lineEnd ?? 0;
  }

  read(take: TakeLine, nowMs: number): boolean {
    const inode = inodeOf(this.#path);
    this.#drainReplaced(take, nowMs);
    if (this.#current) drain(this.#current, take);
    if (this.#current && inode !== this.#current.inode) this.#replace(this.#current, nowMs);
    if (inode !== undefined && !this.#current) this.#open();
    if (this.#current) drain(this.#current, take);
    return this.#current !== undefined || this.#replaced !== undefined;
  }

  close(): void {
    for (const reading of [this.#current, this.#replaced?.reading]) {
      if (reading) closeSync(reading.fd);
    }
    this.#current = undefined;
    this.#replaced = undefined;
  }

  #open(): void {
    const fd = openRegular(this.#path);
    if (fd === undefined) return;
    const { ino: inode } = fstatSync(fd);
    const splitter = new LineSplitter(recordLineBytesMax);
    this.#current = { fd, inode, splitter, oldBytes: this.#oldBytes, readBytes: 0, lineEnd: 0 };
    // A file that takes its place is new as a whole.
    this.#oldBytes = 0;
  }

  #replace(reading: Reading, nowMs: number): void {
    if (this.#replaced) closeSync(this.#replaced.reading.fd);
    this.#replaced = { reading, sinceMs: nowMs };
    this.#current = undefined;
  }

  #drainReplaced(take: TakeLine, nowMs: number): void {
    if (!this.#replaced) return;
    const { reading, sinceMs } = this.#replaced;
    drain(reading, take);
    if (nowMs - sinceMs < rotatedFileMs) return;
    closeSync(reading.fd);
    this.#replaced = undefined;
  }
}

function drain(reading: Reading, take: TakeLine): void {
  const bytes = sizeOf(reading.fd);
  if (bytes === reading.readBytes) return;
  if (bytes < reading.readBytes) {
    reading.splitter.end();
    reading.readBytes = 0;
    reading.lineEnd = 0;
    reading.oldBytes = 0;
  }
  // It may grow as fast as it is read.
  while (reading.readBytes < bytes) {
    const chunk = new Uint8Array(inputReadBytesMax);
    const count = readAt(reading, chunk);
    if (count === 0) return;
    reading.readBytes += count;
    for (const line of reading.splitter.push(chunk.subarray(0, count))) {
      reading.lineEnd += line.size;
      if (line.bytes) take(line.bytes, reading.lineEnd > reading.oldBytes);
    }
  }
}

/** A disk that cannot be read now is tried again with the next event. */
function readAt({ fd, readBytes }: Reading, chunk: Uint8Array): number {
  try {
    return readSync(fd, chunk, 0, chunk.length, readBytes);
  } catch {
    return 0;
  }
}

function sizeOf(fd: number): number {
  try {
    return fstatSync(fd).size;
  } catch {
    return 0;
  }
}

function inodeOf(path: string): number | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.ino : undefined;
  } catch {
    return undefined;
  }
}

function openRegular(path: string): number | undefined {
  try {
    const fd = openSync(path, flags);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    return undefined;
  } catch {
    return undefined;
  }
}
