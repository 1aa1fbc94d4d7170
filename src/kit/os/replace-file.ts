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
import { errorCode, newFileFault } from "./file-errors.ts";
import { irregularity, openToWrite } from "./named-file.ts";
import { cLibrary } from "./pipe.ts";

/** The file itself can still be written: its folder cannot, or it is mounted alone. */
const folderFaults: ReadonlySet<string> = new Set(["EACCES", "EROFS", "EBUSY"]);

/** Readers get the old content or the new. Never follows or replaces a symbolic link. Returns a clause or error code. */
export function replaceFile(file: string, text: string, mode: number = 0o600): string | undefined {
  return replaceWithParts(file, () => [text], mode);
}

export function replaceWithParts(
  file: string,
  parts: () => Iterable<string>,
  mode: number = 0o600,
): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = targetFault(file) ?? moveInto(file, parts, mode);
  return fault !== undefined && folderFaults.has(fault) ? overwrite(file, parts) : fault;
}

export function replacementFault(file: string): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = targetFault(file) ?? newFileFault(file);
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

function targetFault(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    return stats.isSymbolicLink() ? "ELOOP" : irregularity(stats);
  } catch (error) {
    return errorCode(error);
  }
}

function moveInto(file: string, parts: () => Iterable<string>, mode: number): string | undefined {
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    writeParts(openSync(fresh, "wx", mode), parts);
    renameSync(fresh, file);
    return undefined;
  } catch (error) {
    rmSync(fresh, { force: true });
    return errorCode(error);
  }
}

function overwrite(file: string, parts: () => Iterable<string>): string | undefined {
  const opened = openToWrite(file, constants.O_TRUNC);
  if ("fault" in opened) return opened.fault;
  try {
    writeParts(opened.fd, parts);
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}

function writeParts(fd: number, parts: () => Iterable<string>): void {
  try {
    for (const part of parts()) writeFileSync(fd, part);
  } finally {
    closeSync(fd);
  }
}

const [shared, exclusive, withoutWaiting] = [1, 2, 4];

type Flock = (fd: number, operation: number) => number;

const loaded = new Map<string, Flock | undefined>();

/** Until the last descriptor is closed, even by the end of the process. Does nothing where it is impossible. */
export function markInUse(fd: number, library: string = cLibrary): void {
  flockOf(library)?.(fd, shared | withoutWaiting);
}

/** False when another process has it, or that cannot be known. */
export function takeAlone(fd: number, library: string = cLibrary): boolean {
  return flockOf(library)?.(fd, exclusive | withoutWaiting) === 0;
}

export function canLock(library: string = cLibrary): boolean {
  return flockOf(library) !== undefined;
}

function flockOf(library: string): Flock | undefined {
  if (!loaded.has(library)) loaded.set(library, load(library));
  return loaded.get(library);
}

function load(library: string): Flock | undefined {
  try {
    const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
    return dlopen(library, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols.flock;
  } catch {
    return undefined;
  }
}
