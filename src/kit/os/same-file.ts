import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

// Resolves links. The file need not exist; devices and pipes are compared by path.
export function isSameFile(a: string, b: string): boolean {
  if (resolvePath(a) === resolvePath(b)) return true;
  const [first, second] = [readIdentity(a), readIdentity(b)];
  return first !== undefined && first === second;
}

function resolvePath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(resolvePath(folder), basename(file));
  }
}

function readIdentity(file: string): string | undefined {
  try {
    const stats = statSync(file, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
