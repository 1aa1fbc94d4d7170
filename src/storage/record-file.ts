import { close, fsync, fsyncSync, write, writeSync } from "node:fs";
import { recordGatherMs, rotationCheckMs } from "#limits/records.ts";
import { newline } from "#wire/ascii.ts";
import { markInUse } from "#os/file-lock.ts";
import { endsTorn, inodeAt, openForAppend, type OpenFile } from "./open-for-append.ts";

/** How a record file is written. */
type RecordFileOptions = {
  /** True to fsync every write. */
  readonly isSynced: boolean;
  /** True for a file that prune may remove: then it is marked as in use while it is open. */
  readonly isMarked: boolean;
};

/** Bytes to write, and how many of them end an incomplete line of the file. */
type Prepared = { readonly bytes: Uint8Array; readonly prefixBytes: number };

/**
 * A record file that several meters may append to at the same time. It is a regular file, is reopened when its
 * path leads to another file, and has every record on a line of its own, even after one that was written in part.
 */
export class RecordFile {
  readonly path: string;
  /** Each write wakes a thread: with one per record, half of the cost of the meter at 100 calls a second. */
  readonly gatherMs: number;
  readonly #isSynced: boolean;
  readonly #isMarked: boolean;
  #file: OpenFile;
  /** True when the file may end in an incomplete line. */
  #isTorn: boolean;
  #checkedMs = 0;

  /** Throws UserError when the path cannot be opened as a regular file. */
  constructor(path: string, { isSynced, isMarked }: RecordFileOptions) {
    this.path = path;
    this.#isSynced = isSynced;
    this.#isMarked = isMarked;
    this.gatherMs = isSynced ? 0 : recordGatherMs;
    this.#isTorn = endsTorn(path);
    this.#file = this.#open();
  }

  #open(): OpenFile {
    const file = openForAppend(this.path);
    if (this.#isMarked) markInUse(file.fd);
    return file;
  }

  /** Appends whole lines in one write; resolves with the number of lines that were written whole. */
  async append(lines: string): Promise<number> {
    const prepared = this.#prepared(lines);
    const { fd } = this.#file;
    try {
      const written = await writeOnce(fd, prepared.bytes);
      if (this.#isSynced) await sync(fd);
      return this.#linesOf(prepared, written);
    } catch {
      this.#isTorn = true;
      return 0;
    }
  }

  /** The same without a turn of the event loop. A write of `append` that is under way may come after it. */
  appendNow(lines: string): number {
    const prepared = this.#prepared(lines);
    const { fd } = this.#file;
    try {
      const written = writeSync(fd, prepared.bytes);
      if (this.#isSynced) fsyncSync(fd);
      return this.#linesOf(prepared, written);
    } catch {
      this.#isTorn = true;
      return 0;
    }
  }

  /** The bytes of lines that begin on a line of their own. */
  #prepared(lines: string): Prepared {
    this.#followRotation();
    const prefixBytes = this.#isTorn ? 1 : 0;
    return { bytes: Buffer.from(this.#isTorn ? `\n${lines}` : lines), prefixBytes };
  }

  /** The number of lines that were written whole. */
  #linesOf({ bytes, prefixBytes }: Prepared, written: number): number {
    this.#isTorn = written < bytes.length;
    return countLines(bytes.subarray(prefixBytes, Math.max(prefixBytes, written)));
  }

  #followRotation(): void {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < rotationCheckMs) return;
    this.#checkedMs = nowMs;
    if (inodeAt(this.path) === this.#file.inode) return;
    try {
      const file = this.#open();
      close(this.#file.fd);
      this.#file = file;
      this.#isTorn = false;
    } catch {
      // The old file still takes the records; a later check may find the path usable.
    }
  }
}

/** Resolves with the number of bytes that one write(2) took. */
function writeOnce(fd: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}

function sync(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
