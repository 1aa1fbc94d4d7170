import { statSync } from "node:fs";
import { errorCode } from "#os/error-code.ts";

/**
 * False for a path that leads nowhere. True also for one that cannot be examined, such as one in a folder without rights or a link to
 * itself: reading it says why.
 */
export function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(errorCode(error));
  }
}

/** True for a folder, also behind a link. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
