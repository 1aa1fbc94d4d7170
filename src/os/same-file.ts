import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Whether two paths name one file, also by other spellings, symbolic links and hard links. The file need not exist.
 * Devices and pipes are compared by their paths alone.
 */
export function isSameFile(one: string, other: string): boolean {
  if (realPath(one) === realPath(other)) return true;
  const [first, second] = [identity(one), identity(other)];
  return first !== undefined && first === second;
}

/** The path without links; of a file that does not exist yet, the one in the folder behind the links. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(realPath(folder), basename(file));
  }
}

/** Device and inode of a regular file. */
function identity(file: string): string | undefined {
  try {
    const stats = statSync(file, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
