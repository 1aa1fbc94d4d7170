import {
  accessSync,
  closeSync,
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
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "#kit/os/error-code.ts";
import { irregularity } from "#kit/os/open-file.ts";

// Older temporary copies are those of a killed program.
export const leftoverSecondsMin = 60;

/**
 * A reader gets the old bytes or the new ones. A symbolic link stays, and its target is replaced; mode and owner
 * stay. Returns "changed" when the file differs from `before` by now, a system error code or a clause on failure, and
 * undefined on success.
 */
export function replaceSettings(
  file: string,
  before: Uint8Array,
  after: Uint8Array,
): string | undefined {
  try {
    const path = realpathSync(file);
    const stats = statSync(path);
    const fault = irregularity(stats) ?? writeFault(path, stats);
    return fault ?? replaceTarget(path, stats, { before, after });
  } catch (error) {
    return errorCode(error);
  }
}

/** The file's own mode counts, although a writable folder would be enough. */
function writeFault(path: string, { mode }: Stats): string | undefined {
  if ((mode & 0o222) === 0) return "it is read-only";
  accessSync(path, constants.W_OK);
  return undefined;
}

type Change = { readonly before: Uint8Array; readonly after: Uint8Array };

function replaceTarget(path: string, stats: Stats, { before, after }: Change): string | undefined {
  removeLeftovers(path);
  const fresh = `${temporaryPath(path)}${crypto.randomUUID()}`;
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

function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.mcp-meter-`);
}

/** Leftovers of killed attempts: they hold secrets. Others may be at work. */
function removeLeftovers(path: string): void {
  const begin = basename(temporaryPath(path));
  try {
    for (const name of readdirSync(dirname(path)).filter((one) => one.startsWith(begin))) {
      const leftover = join(dirname(path), name);
      const age = Date.now() - lstatSync(leftover).mtimeMs;
      if (age > leftoverSecondsMin * 1_000) rmSync(leftover, { force: true });
    }
  } catch {
    // A folder that cannot be listed, or a copy that another program has removed.
  }
}

function writeFresh(fresh: string, { mode, uid, gid }: Stats, bytes: Uint8Array): void {
  const fd = openSync(fresh, "wx", 0o600);
  try {
    writeFileSync(fd, bytes);
    const own = statSync(fresh);
    if (own.uid !== uid || own.gid !== gid) fchownSync(fd, uid, gid);
    fchmodSync(fd, mode & 0o7777);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Without it a crash may lose the rename; not every file system can do it. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY);
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // The new bytes are in the file all the same.
  }
}
