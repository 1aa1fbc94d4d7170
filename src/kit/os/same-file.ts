import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Resolves links. The file need not exist; devices and pipes are compared by path. */
export function isSameFile(one: string, other: string): boolean {
  if (realPath(one) === realPath(other)) return true;
  const [first, second] = [identity(one), identity(other)];
  return first !== undefined && first === second;
}

function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(realPath(folder), basename(file));
  }
}

function identity(file: string): string | undefined {
  try {
    const stats = statSync(file, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
