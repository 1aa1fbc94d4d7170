import {
  close,
  fsync,
  fsyncSync,
  write,
  writeSync,
  mkdirSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";
import { newline } from "#kit/text/ascii.ts";
import { markInUse } from "#kit/os/c-library.ts";
import { join } from "node:path";
import { promisify } from "node:util";
import { attempt, UserError } from "#kit/errors.ts";
import { readErrorCode, findNewFileFault, makeDisposableFile } from "#kit/os/file-errors.ts";
import {
  type FolderEnv,
  findStateFolder,
  locateSessions,
  rejectOccupiedFolder,
} from "./folders.ts";
import { storageSentences } from "./sentences.ts";
import { nameFileKind } from "#kit/os/open-file.ts";

// Unless the disk is slow, a `kill -9` loses at most the records of this period.
export const recordGatherMs = 10;

const rotationCheckMs = 1_000;

type RecordFileOptions = {
  readonly isSynced: boolean;
  // Marked as in use while open, so that `prune` does not remove it.
  readonly isMarkedInUse: boolean;
};

type PreparedWrite = { readonly bytes: Uint8Array; readonly prefixBytes: number };

// Several meters may append to one file. After a partial write, a meter begins its next write with a newline.
export class RecordFile {
  readonly path: string;
  // After a write, records wait up to this long, to share the next write.
  readonly gatherMs: number;
  readonly #isSynced: boolean;
  readonly #isMarkedInUse: boolean;
  #file: OpenFile;
  #isTorn: boolean;
  #checkedMs = 0;

  constructor(path: string, { isSynced, isMarkedInUse }: RecordFileOptions) {
    this.path = path;
    this.#isSynced = isSynced;
    this.#isMarkedInUse = isMarkedInUse;
    this.gatherMs = isSynced ? 0 : recordGatherMs;
    this.#isTorn = endsTorn(path);
    this.#file = this.#open();
  }

  #open(): OpenFile {
    const file = openForAppend(this.path);
    if (this.#isMarkedInUse) markInUse(file.fd);
    return file;
  }

  // Makes one write; resolves with the number of complete lines written.
  async append(lines: string): Promise<number> {
    const prepared = this.#prepare(lines);
    const { fd } = this.#file;
    try {
      const { bytesWritten } = await writeOnce(fd, prepared.bytes);
      if (this.#isSynced) await sync(fd);
      return this.#countWritten(prepared, bytesWritten);
    } catch {
      this.#isTorn = true;
      return 0;
    }
  }

  // If `append` is still writing, its lines may come after these.
  appendNow(lines: string): number {
    const prepared = this.#prepare(lines);
    const { fd } = this.#file;
    try {
      const written = writeSync(fd, prepared.bytes);
      if (this.#isSynced) fsyncSync(fd);
      return this.#countWritten(prepared, written);
    } catch {
      this.#isTorn = true;
      return 0;
    }
  }

  #prepare(lines: string): PreparedWrite {
    this.#followRotation();
    const prefixBytes = this.#isTorn ? 1 : 0;
    return { bytes: Buffer.from(this.#isTorn ? `\n${lines}` : lines), prefixBytes };
  }

  #countWritten({ bytes, prefixBytes }: PreparedWrite, written: number): number {
    this.#isTorn = written < bytes.length;
    return countNewlines(bytes.subarray(prefixBytes, Math.max(prefixBytes, written)));
  }

  #followRotation(): void {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < rotationCheckMs) return;
    this.#checkedMs = nowMs;
    if (readInode(this.path) === this.#file.inode) return;
    try {
      const file = this.#open();
      close(this.#file.fd);
      this.#file = file;
      this.#isTorn = false;
    } catch {
      // Records still go to the old file; the path may be usable at a later check.
    }
  }
}

const writeOnce = promisify(write);
const sync = promisify(fsync);

export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

const serverNameCharactersMax = 40;

type RecordFileName = {
  readonly at: Date;
  readonly server: string;
  readonly mark?: string | undefined;
  readonly random: string;
};

const markedHashCharacters = 12;

/** Goes into the file name, so that a status line finds its session's files without reading thousands. */
export function makeClientMark(sessionHash: string, parentPid: number): string {
  return `${shortenHash(sessionHash)}.${parentPid}`;
}

export function shortenHash(hash: string): string {
  return hash.slice(0, markedHashCharacters);
}

export function prepareRecordPath(
  env: FolderEnv,
  { at, server, mark, random }: RecordFileName,
): string {
  const state = findStateFolder(env);
  if (state === undefined) throw new UserError(storageSentences.homeMissing());
  const [date = "", time = ""] = at.toISOString().slice(0, 19).split("T");
  const folder = join(locateSessions(state), date);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    rejectOccupiedFolder(state);
    throw new UserError(storageSentences.logUnwritable(folder, readErrorCode(error)));
  }
  const parts = [time.replaceAll(":", ""), sanitizeName(server), mark ?? [], random].flat();
  return join(folder, `${parts.join("-")}.ndjson`);
}

function sanitizeName(server: string): string {
  const name = server.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, serverNameCharactersMax);
  return name.replaceAll(/^[.-]+|[.-]+$/g, "") || "server";
}

// Without O_NONBLOCK, opening a FIFO without a reader would never return. Files ignore the flag.
const existingFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const flags = existingFlags | constants.O_CREAT;

type OpenFile = { readonly fd: number; readonly inode: number };

// Creates a missing file with mode 0600. Throws UserError for an unwritable path, and for anything but a regular file.
export function openForAppend(path: string): OpenFile {
  return openRegular(path, flags);
}

// Throws the UserError that `openForAppend` would throw, but creates no file.
export function examineForAppend(path: string): void {
  if (isPresent(path)) {
    closeSync(openRegular(path, existingFlags).fd);
    return;
  }
  const fault = findNewFileFault(path);
  if (fault !== undefined) throw new UserError(storageSentences.logUnwritable(path, fault));
}

function isPresent(path: string): boolean {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false);
}

function openRegular(path: string, openFlags: number): OpenFile {
  const before = readStats(path);
  if (before && !before.isFile()) throw makeKindError(path, nameFileKind(before));
  const fd = open(path, openFlags);
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, inode: stats.ino };
  closeSync(fd);
  throw makeKindError(path, nameFileKind(stats));
}

export function readInode(path: string): number | undefined {
  return readStats(path)?.ino;
}

export function endsTorn(path: string): boolean {
  const stats = readStats(path);
  if (!stats?.isFile() || stats.size === 0) return false;
  return attempt(() => {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    using file = makeDisposableFile(openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
    const last = new Uint8Array(1);
    readSync(file.fd, last, 0, 1, stats.size - 1);
    return last[0] !== newline;
  }, false);
}

function open(path: string, openFlags: number): number {
  try {
    return openSync(path, openFlags, 0o600);
  } catch (error) {
    const code = readErrorCode(error);
    if (code === "ELOOP") throw makeKindError(path, "symbolic link");
    throw new UserError(storageSentences.logUnwritable(path, code));
  }
}

function makeKindError(path: string, kind: string): UserError {
  return new UserError(storageSentences.logNotRegular(path, kind));
}

function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
