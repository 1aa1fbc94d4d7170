import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readErrorCode, findNewFileFault } from "./file-errors.ts";
import { describeIrregularity, openToWrite } from "./named-file.ts";
import { cLibrary } from "./pipe.ts";

// A file may be writable in place where its folder is read-only or it is a mount point.
const folderFaults: ReadonlySet<string> = new Set(["EACCES", "EROFS", "EBUSY"]);

/** Atomic if possible. Never touches a symbolic link. Returns a clause or a system error code. */
export function replaceFile(file: string, text: string, mode: number = 0o600): string | undefined {
  return replaceInChunks(file, () => [text], mode);
}

export function replaceInChunks(
  file: string,
  chunks: () => Iterable<string>,
  mode: number = 0o600,
): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = findTargetFault(file) ?? moveInto(file, chunks, mode);
  return fault !== undefined && folderFaults.has(fault) ? overwrite(file, chunks) : fault;
}

export function findReplaceFault(file: string): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = findTargetFault(file) ?? findNewFileFault(file);
  return fault !== undefined && folderFaults.has(fault) && mayWrite(file) ? undefined : fault;
}

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function findTargetFault(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    return stats.isSymbolicLink() ? "ELOOP" : describeIrregularity(stats);
  } catch (error) {
    return readErrorCode(error);
  }
}

function moveInto(file: string, chunks: () => Iterable<string>, mode: number): string | undefined {
  const temporary = `${file}.${crypto.randomUUID()}`;
  try {
    writeAndClose(openSync(temporary, "wx", mode), chunks);
    renameSync(temporary, file);
    return undefined;
  } catch (error) {
    rmSync(temporary, { force: true });
    return readErrorCode(error);
  }
}

function overwrite(file: string, chunks: () => Iterable<string>): string | undefined {
  const opened = openToWrite(file, constants.O_TRUNC);
  if ("fault" in opened) return opened.fault;
  try {
    writeAndClose(opened.fd, chunks);
    return undefined;
  } catch (error) {
    return readErrorCode(error);
  }
}

function writeAndClose(fd: number, chunks: () => Iterable<string>): void {
  try {
    for (const chunk of chunks()) writeFileSync(fd, chunk);
  } finally {
    closeSync(fd);
  }
}

const [shared, exclusive, nonBlocking] = [1, 2, 4];

type Flock = (fd: number, operation: number) => number;

const loaded = new Map<string, Flock | undefined>();

// The lock lasts until the last descriptor closes. Does nothing where flock is missing.
export function lockShared(fd: number, library: string = cLibrary): void {
  loadFlock(library)?.(fd, shared | nonBlocking);
}

// False if another process holds the lock, or if flock is missing.
export function tryLockExclusive(fd: number, library: string = cLibrary): boolean {
  return loadFlock(library)?.(fd, exclusive | nonBlocking) === 0;
}

export function canLock(library: string = cLibrary): boolean {
  return loadFlock(library) !== undefined;
}

function loadFlock(library: string): Flock | undefined {
  if (!loaded.has(library)) loaded.set(library, bindFlock(library));
  return loaded.get(library);
}

function bindFlock(library: string): Flock | undefined {
  try {
    const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
    return dlopen(library, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols.flock;
  } catch {
    return undefined;
  }
}
