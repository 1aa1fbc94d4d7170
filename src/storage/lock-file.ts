import { realpathSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { lockBytesMax } from "#limits.ts";
import { findContradiction, readLock, writeLock, type Lock } from "#lock/lock.ts";
import { readWholeFile } from "#os/named-file.ts";
import { replaceFile } from "#os/replace-file.ts";
import { sha256 } from "#os/sha256.ts";

/** A lock is committed and read by others; the umask applies. */
const lockMode = 0o666;

/** The lock in a file; undefined when there is no file. Throws UserError when the file is not a lock, or contradicts itself. */
export function readLockFile(file: string): Lock | undefined {
  const bytes = readBytes(file);
  return bytes && parseLock(file, bytes);
}

/** The text of a lock file; undefined when there is no file. Throws UserError when it cannot be read. */
export function readLockText(file: string): string | undefined {
  const bytes = readBytes(file);
  return bytes && decode(file, bytes);
}

/** The lock that `bytes` hold. Throws UserError that names the `file` when they are not a lock, or contradict themselves. */
export function parseLock(file: string, bytes: Uint8Array): Lock {
  const read = readLock(decode(file, bytes));
  if ("fault" in read) throw new UserError(sentences.lockMalformed(file, read.fault));
  const contradiction = findContradiction(read.lock, sha256);
  if (contradiction !== undefined)
    throw new UserError(sentences.lockMalformed(file, contradiction));
  return read.lock;
}

/**
 * Writes a lock as a whole. A file of the same content is left alone. A repository may keep its lock behind a
 * symbolic link: the file behind it is written. Returns whether it wrote. Throws UserError.
 */
export function writeLockFile(file: string, lock: Lock): boolean {
  const text = writeLock(lock);
  if (readLockText(file) === text) return false;
  const fault = replaceFile(behindLinks(file), text, lockMode);
  if (fault !== undefined) throw new UserError(sentences.lockUnwritable(file, fault));
  return true;
}

function behindLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The bytes of a lock file; undefined when there is no file. */
function readBytes(file: string): Uint8Array | undefined {
  const content = readWholeFile(file, lockBytesMax);
  if ("bytes" in content) return content.bytes;
  if (content.fault === "ENOENT") return undefined;
  throw new UserError(sentences.lockMalformed(file, content.fault));
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(sentences.lockMalformed(file, "it is not valid UTF-8"));
  }
}
