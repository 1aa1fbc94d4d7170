import { attempt } from "#kit/errors.ts";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { LineSplitter } from "#wire/line.ts";
import { inputReadBytesMax } from "#kit/os/open-file.ts";
import { jsonLineBytesMax } from "../json-lines.ts";

// After a file was moved away, its meter may write to it for another 1,000 ms. So we read the file for longer.
export const rotatedFileMs = 2_500;

// The bytes end with a newline. `isNew` is false for a line within the first `oldBytes` bytes of the file.
export type TakeLine = (bytes: Uint8Array, isNew: boolean) => void;

// Without O_NONBLOCK, opening a FIFO would wait for a writer.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type Reading = {
  readonly fd: number;
  readonly inode: number;
  readonly splitter: LineSplitter;
  oldBytes: number;
  readBytes: number;
  lineEnd: number; // the offset after the last complete line
};

// Follows a file even if it is moved away, recreated or truncated. Takes only complete lines.
export class FollowedFile {
  readonly #path: string;
  #oldBytes: number;
  #current: Reading | undefined;
  #replaced: { readonly reading: Reading; readonly sinceMs: number } | undefined;

  constructor(path: string, oldBytes: number) {
    this.#path = path;
    this.#oldBytes = oldBytes;
  }

  get lineEnd(): number {
    return this.#current?.lineEnd ?? 0;
  }

  // False if no file is open. A file that was moved away or removed stays open for `rotatedFileMs`.
  read(take: TakeLine, nowMs: number): boolean {
    const inode = readFileInode(this.#path);
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
    const splitter = new LineSplitter(jsonLineBytesMax);
    this.#current = { fd, inode, splitter, oldBytes: this.#oldBytes, readBytes: 0, lineEnd: 0 };
    // A replacement file is entirely new.
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

// If the disk cannot be read now, the next `read` tries again.
function drain(reading: Reading, take: TakeLine): void {
  const bytes = attempt(() => fstatSync(reading.fd).size, reading.readBytes);
  if (bytes === reading.readBytes) return;
  const isTruncated = bytes < reading.readBytes;
  if (isTruncated) {
    reading.splitter.end();
    reading.readBytes = reading.lineEnd = reading.oldBytes = 0;
  }
  // Does not check the size again, because the file may grow as fast as it is read.
  while (reading.readBytes < bytes) {
    const chunk = new Uint8Array(inputReadBytesMax);
    const count = readChunk(reading, chunk);
    if (count === 0) return;
    reading.readBytes += count;
    for (const line of reading.splitter.push(chunk.subarray(0, count))) {
      reading.lineEnd += line.size;
      if (line.bytes) take(line.bytes, reading.lineEnd > reading.oldBytes);
    }
  }
}

function readChunk({ fd, readBytes }: Reading, chunk: Uint8Array): number {
  return attempt(() => readSync(fd, chunk, 0, chunk.length, readBytes), 0);
}

function readFileInode(path: string): number | undefined {
  return attempt(() => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.ino : undefined;
  });
}

function openRegular(path: string): number | undefined {
  return attempt(() => {
    const fd = openSync(path, flags);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    return undefined;
  });
}
