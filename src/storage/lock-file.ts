import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { lockBytesMax } from "#limits.ts";
import { readLock, writeLock, type Lock } from "#lock/lock.ts";
import { codeOf } from "#os/system-error.ts";

/** The lock in a file; undefined when there is no file. Throws UserError when the file is not a lock. */
export function readLockFile(file: string): Lock | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const read = readLock(text);
  if ("fault" in read) throw new UserError(sentences.lockMalformed(file, read.fault));
  return read.lock;
}

/**
 * Writes a lock as a whole, by renaming a temporary file. A file of the same content is left alone. Returns
 * whether it wrote. Throws UserError.
 */
export function writeLockFile(file: string, lock: Lock): boolean {
  const text = writeLock(lock);
  if (textOf(file) === text) return false;
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, text, { flag: "wx" });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new UserError(sentences.lockUnwritable(file, codeOf(error)));
  }
  return true;
}

function textOf(file: string): string | undefined {
  try {
    const { size } = statSync(file);
    if (size > lockBytesMax) throw new UserError(sentences.fileTooLong(file, size, lockBytesMax));
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (codeOf(error) === "ENOENT") return undefined;
    const fault = error instanceof TypeError ? "it is not valid UTF-8" : codeOf(error);
    throw new UserError(sentences.lockMalformed(file, fault));
  }
}
