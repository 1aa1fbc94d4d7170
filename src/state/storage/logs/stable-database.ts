import {
  constants as fileConstants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "#kit/os/error-code.ts";
import { foreignFault } from "#kit/os/folder-fault.ts";

// A database that its client has open is copied; the largest known have some GB.
const importCopyBytesMax = 16 * 1024 * 1024 * 1024;

const importCopiesMax = 3;

/** `immutable` when nothing may be written next to it; else a private copy. */
export type StableDatabase = { readonly path: string; readonly isImmutable: boolean };

/** SQLite keeps changes here that are not in the database yet. */
const changeFiles = ["-wal", "-journal"];

/**
 * Leaves no trace next to another program's database. One that is being written, or has changes outside its file, is
 * read from a private copy, which is removed. `read` is called again if the file changed meanwhile. Returns why it
 * failed as a system error code or a clause.
 */
export function readStable<Result>(
  path: string,
  read: (database: StableDatabase) => Result,
): Result | { readonly fault: string } {
  try {
    const before = marksOf(path);
    if (!hasChanges(path)) {
      const result = read({ path, isImmutable: true });
      if (marksOf(path) === before && !hasChanges(path)) return result;
    }
    return readCopy(path, read);
  } catch (error) {
    return { fault: errorCode(error) };
  }
}

function marksOf(path: string): string {
  const main = statSync(path, { bigint: true });
  const others = changeFiles.map((suffix) =>
    statSync(path + suffix, { throwIfNoEntry: false, bigint: true }),
  );
  return [main, ...others]
    .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : ""))
    .join("\n");
}

function hasChanges(path: string): boolean {
  return changeFiles.some(
    (suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

function readCopy<Result>(
  path: string,
  read: (database: StableDatabase) => Result,
): Result | { readonly fault: string } {
  if (statSync(path).size > importCopyBytesMax) {
    return { fault: "its client has it open, and it is too large to copy" };
  }
  if (foreignFault(tmpdir(), true) !== undefined)
    return { fault: "other users may replace files in the folder for temporary files" };
  // For this user only.
  const folder = mkdtempSync(join(tmpdir(), "mcp-meter-"));
  try {
    const copy = join(folder, "copy.db");
    for (let attempt = 0; attempt < importCopiesMax; attempt += 1) {
      const before = marksOf(path);
      copyAll(path, copy);
      if (marksOf(path) === before) break;
    }
    return read({ path: copy, isImmutable: false });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyAll(path: string, copy: string): void {
  for (const suffix of ["", ...changeFiles]) {
    rmSync(copy + suffix, { force: true });
    if (suffix !== "" && !existsSync(path + suffix)) continue;
    copyFileSync(path + suffix, copy + suffix, fileConstants.COPYFILE_FICLONE);
  }
}
