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
import { readErrorCode, ownFile } from "#kit/os/file-errors.ts";
import { describeIrregularity } from "#kit/os/open-file.ts";
import { hasFlock, tryExclusiveFlock } from "#kit/os/c-library.ts";

export const leftoverSecondsMin = 60;

// Atomic, also behind a link. Returns "changed" if the file differs from `before`, or a fault.
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

// Respects the file's mode, although replacing needs only a writable folder.
function findWriteFault(path: string, { mode }: Stats): string | undefined {
  if ((mode & 0o222) === 0) return "it is read-only";
  accessSync(path, constants.W_OK);
  return undefined;
}

type Change = { readonly before: Uint8Array; readonly after: Uint8Array };

function replaceTarget(path: string, stats: Stats, { before, after }: Change): string | undefined {
  removeLeftovers(path);
  const fresh = `${makeTemporaryPrefix(path)}${crypto.randomUUID()}`;
  try {
    writeFresh(fresh, stats, after);
    if (!readFileSync(path).equals(before)) return "changed";
    renameSync(fresh, path);
    syncFolder(dirname(path));
    return undefined;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function makeTemporaryPrefix(path: string): string {
  return join(dirname(path), `.${basename(path)}.mcp-meter-`);
}

// Leftovers hold secrets. Younger ones may belong to a running process.
function removeLeftovers(path: string): void {
  const prefix = basename(makeTemporaryPrefix(path));
  try {
    for (const name of readdirSync(dirname(path)).filter((entry) => entry.startsWith(prefix))) {
      const leftover = join(dirname(path), name);
      const age = Date.now() - lstatSync(leftover).mtimeMs;
      if (age > leftoverSecondsMin * 1_000) rmSync(leftover, { force: true });
    }
  } catch {
    // A folder that cannot be listed, or a copy that another program has removed.
  }
}

function writeFresh(fresh: string, { mode, uid, gid }: Stats, bytes: Uint8Array): void {
  using file = ownFile(openSync(fresh, "wx", 0o600));
  writeFileSync(file.fd, bytes);
  const created = statSync(fresh);
  if (created.uid !== uid || created.gid !== gid) fchownSync(file.fd, uid, gid);
  fchmodSync(file.fd, mode & 0o7777);
  fsyncSync(file.fd);
}

// Without this, a crash may lose the rename. Not every file system supports it.
function syncFolder(folder: string): void {
  try {
    using file = ownFile(openSync(folder, constants.O_RDONLY));
    fsyncSync(file.fd);
  } catch {
    // The file has its new bytes anyway.
  }
}

const changeWaitMaxMs = 10_000;

const changePauseMs = 10;

// Runs anyway after `waitMaxMs`, because `replaceSettings` never overwrites others' changes.
export function runExclusively<Result>(
  state: string,
  change: () => Result,
  waitMaxMs: number = changeWaitMaxMs,
): Result {
  const fd = hasFlock() ? openFolder(state) : undefined;
  if (fd === undefined) return change();
  using file = ownFile(fd);
  const end = performance.now() + waitMaxMs;
  while (!tryExclusiveFlock(file.fd) && performance.now() < end) Bun.sleepSync(changePauseMs);
  return change();
}

function openFolder(state: string): number | undefined {
  return attempt(() => {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return openSync(state, constants.O_RDONLY | constants.O_NONBLOCK);
  });
}
