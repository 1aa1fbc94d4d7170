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
import { errorCode } from "./error-code.ts";
import { newFileFault } from "./folder-fault.ts";
import { irregularity, openToWrite } from "./open-file.ts";

/** Failures after which the file itself can still be written: its folder cannot, or it is mounted alone. */
const folderFaults: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "EBUSY"]);

/**
 * Writes a file that a person named as a whole: a reader gets the old content or the new. Never waits, never
 * follows or replaces a symbolic link; to `/dev/null` it writes nothing. A new file gets this mode. Returns why
 * it was not written, as a clause or a system error code; undefined on success.
 */
export function replaceFile(file: string, text: string, mode: number = 0o600): string | undefined {
  return replaceWithParts(file, () => [text], mode);
}

/** The same for a text that need not be in memory as a whole; its parts are made again when the file is written in place. */
export function replaceWithParts(
  file: string,
  parts: () => Iterable<string>,
  mode: number = 0o600,
): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = targetFault(file) ?? moveInto(file, parts, mode);
  return fault !== undefined && folderFaults.has(fault) ? overwrite(file, parts) : fault;
}

/** Why `replaceFile` would not write this file, as a clause or a system error code; undefined when it would. Changes nothing. */
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

/** Writes to an open file and closes it. */
function writeParts(fd: number, parts: () => Iterable<string>): void {
  try {
    for (const part of parts()) writeFileSync(fd, part);
  } finally {
    closeSync(fd);
  }
}
