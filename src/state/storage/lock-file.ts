import { attempt, UserError } from "#kit/errors.ts";
import { findContradiction, readLock, formatLock, type Lock } from "#lock/lock.ts";
import { readWholeFile, resolveRealPath } from "#kit/os/open-file.ts";
import { replaceFile } from "#kit/os/write-file.ts";
import { sha256 } from "#kit/os/hash.ts";
import { findDuplicate, makePositionFinder } from "#kit/syntax/syntax-tree.ts";
import { parseJson } from "#kit/syntax/jsonc.ts";
import { storageSentences } from "./sentences.ts";

// Ten thousand tools take about ten megabytes.
export const lockBytesMax = 64 * 1024 * 1024;

// Locks are committed and read by others, so only the umask restricts the mode.
const lockMode = 0o666;

export function readLockFile(file: string): Lock | undefined {
  const bytes = readLockBytes(file);
  if (!bytes) return undefined;
  const read = parseLockBytes(bytes);
  if ("fault" in read) throw makeLockError(file, read.fault);
  return read.lock;
}

export function readLockText(file: string): string | undefined {
  const bytes = readLockBytes(file);
  const text = bytes && decode(bytes);
  if (bytes && text === undefined) throw makeLockError(file, notUtf8);
  return text;
}

export function parseLockBytes(
  bytes: Uint8Array,
): { readonly lock: Lock } | { readonly fault: string } {
  const text = decode(bytes);
  if (text === undefined) return { fault: notUtf8 };
  const read = readLock(text);
  if ("fault" in read) return read;
  // Text that we wrote has no duplicates, and searching a large file takes seconds.
  const duplicate = formatLock(read.lock) === text ? undefined : describeDuplicate(text);
  if (duplicate !== undefined) return { fault: duplicate };
  const contradiction = findContradiction(read.lock, sha256);
  return contradiction === undefined ? read : { fault: contradiction };
}

// A lock must not define a property twice: a reviewer might read the first value, but programs use the last.
function describeDuplicate(text: string): string | undefined {
  const source = parseJson(text);
  const found = "fault" in source ? source : findDuplicate(source.tree);
  return found && `line ${makePositionFinder(text)(found.offset).line}: ${found.fault}`;
}

export function isLockUpToDate(file: string, lock: Lock): boolean {
  return readLockText(file) === formatLock(lock);
}

// Follows a symbolic link, because writing would otherwise replace the link.
export function writeLockFile(file: string, lock: Lock): boolean {
  if (isLockUpToDate(file, lock)) return false;
  const fault = replaceFile(resolveRealPath(file), formatLock(lock), lockMode);
  if (fault !== undefined) throw new UserError(storageSentences.lockUnwritable(file, fault));
  return true;
}

export function readLockBytes(file: string): Uint8Array | undefined {
  const content = readWholeFile(file, lockBytesMax);
  if ("bytes" in content) return content.bytes;
  if (content.fault === "ENOENT") return undefined;
  throw makeLockError(file, content.fault);
}

const notUtf8 = "it is not valid UTF-8";

function decode(bytes: Uint8Array): string | undefined {
  return attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

function makeLockError(file: string, fault: string): UserError {
  return new UserError(storageSentences.lockMalformed(file, fault));
}
