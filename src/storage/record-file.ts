import {
  close,
  constants,
  fstatSync,
  fsync,
  openSync,
  readSync,
  statSync,
  write,
  type Stats,
} from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { recordGatherMs, rotationCheckMs } from "#limits.ts";
import { errorCode } from "#os/error-code.ts";
import { newline } from "#wire/ascii.ts";

// O_NONBLOCK keeps a FIFO without a reader from holding up the start; it means nothing to a file.
const flags =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_APPEND |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

/**
 * A record file that several meters may append to: regular files only, created 0600, reopened when the
 * path leads elsewhere, every record begun on a line of its own whatever happened to the one before.
 */
export class RecordFile {
  readonly path: string;
  /** A write of its own for every record wakes a thread each: half of what the meter cost at 100 calls a second. */
  readonly gatherMs: number;
  readonly #isSynced: boolean;
  #fd: number;
  #inode: number;
  #isTorn = false;
  #checkedMs = 0;

  /** Throws UserError when the path is no regular file or cannot be opened. */
  constructor(path: string, isSynced: boolean) {
    this.path = path;
    this.#isSynced = isSynced;
    this.gatherMs = isSynced ? 0 : recordGatherMs;
    this.#isTorn = endsTorn(path);
    [this.#fd, this.#inode] = openForAppend(path);
  }

  /** Appends whole lines in one write; returns how many of them arrived whole. */
  async append(lines: string): Promise<number> {
    this.#followRotation();
    const ended = this.#isTorn ? 1 : 0;
    const bytes = Buffer.from(ended === 1 ? `\n${lines}` : lines);
    try {
      const written = await writeTo(this.#fd, bytes);
      this.#isTorn = written < bytes.length;
      if (this.#isSynced) await syncFile(this.#fd);
      return linesIn(bytes.subarray(ended, Math.max(ended, written)));
    } catch {
      this.#isTorn = true;
      return 0;
    }
  }

  #followRotation(): void {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < rotationCheckMs) return;
    this.#checkedMs = nowMs;
    if (statOf(this.path)?.ino === this.#inode) return;
    try {
      const [fd, inode] = openForAppend(this.path);
      close(this.#fd);
      [this.#fd, this.#inode] = [fd, inode];
      this.#isTorn = false;
    } catch {
      // The old file is still open and takes the records; a later look may find the path usable.
    }
  }
}

/** Resolves with the bytes that one write(2) took. */
function writeTo(fd: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}

function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function openForAppend(path: string): [fd: number, inode: number] {
  const before = statOf(path);
  if (before && !before.isFile())
    throw new UserError(sentences.logNotRegular(path, kindOf(before)));
  let fd: number;
  try {
    fd = openSync(path, flags, 0o600);
  } catch (error) {
    const code = errorCode(error);
    const sentence =
      code === "ELOOP"
        ? sentences.logNotRegular(path, "symbolic link")
        : sentences.logUnwritable(path, code);
    throw new UserError(sentence);
  }
  const stats = fstatSync(fd);
  if (stats.isFile()) return [fd, stats.ino];
  close(fd);
  throw new UserError(sentences.logNotRegular(path, kindOf(stats)));
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

/** True when whoever wrote last did not finish the line. */
function endsTorn(path: string): boolean {
  const stats = statOf(path);
  if (!stats?.isFile() || stats.size === 0) return false;
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const last = new Uint8Array(1);
    readSync(fd, last, 0, 1, stats.size - 1);
    close(fd);
    return last[0] !== newline;
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isFIFO()) return "pipe";
  if (stats.isSocket()) return "socket";
  return "device";
}
