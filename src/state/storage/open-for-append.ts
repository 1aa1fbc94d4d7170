import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";
import { UserError } from "#kit/errors.ts";
import { errorCode, newFileFault } from "#kit/os/file-errors.ts";
import { fileKind } from "#kit/os/named-file.ts";
import { newline } from "#kit/text/ascii.ts";
import { storageSentences } from "./sentences.ts";

// Without O_NONBLOCK, opening a FIFO without a reader would never return; to a file it means nothing.
const existingFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const flags = existingFlags | constants.O_CREAT;

/** The inode says whether the path still leads to it. */
export type OpenFile = { readonly fd: number; readonly inode: number };

/** Makes it with mode 0600 if missing. Throws UserError for anything but a regular file. */
export function openForAppend(path: string): OpenFile {
  return openRegular(path, flags);
}

/** Throws the UserError of `openForAppend`. Makes no file. */
export function examineForAppend(path: string): void {
  if (isTaken(path)) {
    closeSync(openRegular(path, existingFlags).fd);
    return;
  }
  const fault = newFileFault(path);
  if (fault !== undefined) throw new UserError(storageSentences.logUnwritable(path, fault));
}

function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function openRegular(path: string, openFlags: number): OpenFile {
  const before = readStats(path);
  if (before && !before.isFile()) throw notRegular(path, fileKind(before));
  const fd = open(path, openFlags);
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, inode: stats.ino };
  closeSync(fd);
  throw notRegular(path, fileKind(stats));
}

export function inodeAt(path: string): number | undefined {
  return readStats(path)?.ino;
}

export function endsTorn(path: string): boolean {
  const stats = readStats(path);
  if (!stats?.isFile() || stats.size === 0) return false;
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const last = new Uint8Array(1);
    readSync(fd, last, 0, 1, stats.size - 1);
    closeSync(fd);
    return last[0] !== newline;
  } catch {
    return false;
  }
}

function open(path: string, openFlags: number): number {
  try {
    return openSync(path, openFlags, 0o600);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ELOOP") throw notRegular(path, "symbolic link");
    throw new UserError(storageSentences.logUnwritable(path, code));
  }
}

function notRegular(path: string, kind: string): UserError {
  return new UserError(storageSentences.logNotRegular(path, kind));
}

function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
