import { attempt } from "#kit/errors.ts";
import {
  accessSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readErrorCode, makeDisposableFile } from "#kit/os/file-errors.ts";
import { describeIrregularity } from "#kit/os/open-file.ts";
import { hasFlock, tryExclusiveFlock } from "#kit/os/c-library.ts";

export const leftoverAgeSecondsMin = 60;

// Replaces the file atomically; a symbolic link is followed and kept. Returns undefined on success,
// "changed" if the file no longer equals `before`, otherwise a description of the fault.
export function replaceSettings(
  file: string,
  before: Uint8Array,
  after: Uint8Array,
): string | undefined {
  try {
    const path = realpathSync(file);
    const stats = statSync(path);
    const fault = describeIrregularity(stats) ?? findWriteFault(path, stats);
    return fault ?? replaceTarget(path, stats, { before, after });
  } catch (error) {
    return readErrorCode(error);
  }
}

// A rename needs only a writable folder, so it would replace even a read-only file.
function findWriteFault(path: string, { mode }: Stats): string | undefined {
  if ((mode & 0o222) === 0) return "it is read-only";
  accessSync(path, constants.W_OK);
  return undefined;
}

type Change = { readonly before: Uint8Array; readonly after: Uint8Array };

function replaceTarget(path: string, stats: Stats, { before, after }: Change): string | undefined {
  removeLeftovers(path);
  const temporaryFile = `${makeTemporaryPrefix(path)}${crypto.randomUUID()}`;
  try {
    writeTemporaryFile(temporaryFile, stats, after);
    if (!readFileSync(path).equals(before)) return "changed";
    renameSync(temporaryFile, path);
    syncFolder(dirname(path));
    return undefined;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}

function makeTemporaryPrefix(path: string): string {
  return join(dirname(path), `.${basename(path)}.mcp-meter-`);
}

// A crashed process may have left temporary files with secrets. Keeps new files, which a running process may need.
function removeLeftovers(path: string): void {
  const prefix = basename(makeTemporaryPrefix(path));
  try {
    for (const name of readdirSync(dirname(path)).filter((entry) => entry.startsWith(prefix))) {
      const temporaryFile = join(dirname(path), name);
      const age = Date.now() - lstatSync(temporaryFile).mtimeMs;
      if (age > leftoverAgeSecondsMin * 1_000) rmSync(temporaryFile, { force: true });
    }
  } catch {
    // A folder that cannot be listed, or a temporary file that another process has removed.
  }
}

function writeTemporaryFile(path: string, { mode, uid, gid }: Stats, bytes: Uint8Array): void {
  using file = makeDisposableFile(openSync(path, "wx", 0o600));
  writeFileSync(file.fd, bytes);
  const created = statSync(path);
  if (created.uid !== uid || created.gid !== gid) fchownSync(file.fd, uid, gid);
  fchmodSync(file.fd, mode & 0o7777);
  fsyncSync(file.fd);
}

// Without this, a crash may lose the rename. Not every file system can sync a folder.
function syncFolder(folder: string): void {
  try {
    using file = makeDisposableFile(openSync(folder, constants.O_RDONLY));
    fsyncSync(file.fd);
  } catch {
    // The file has its new bytes anyway.
  }
}

const lockWaitMaxMs = 10_000;

const lockPollMs = 10;

// Runs `change` even without the lock, because `replaceSettings` checks the file right before the rename.
export function runUnderLock<Result>(
  stateFolder: string,
  change: () => Result,
  waitMaxMs: number = lockWaitMaxMs,
): Result {
  const fd = hasFlock() ? openFolder(stateFolder) : undefined;
  if (fd === undefined) return change();
  using file = makeDisposableFile(fd);
  const end = performance.now() + waitMaxMs;
  while (!tryExclusiveFlock(file.fd) && performance.now() < end) Bun.sleepSync(lockPollMs);
  return change();
}

function openFolder(stateFolder: string): number | undefined {
  return attempt(() => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    return openSync(stateFolder, constants.O_RDONLY | constants.O_NONBLOCK);
  });
}
