import { statSync } from "node:fs";
import { errorCode } from "#kit/os/error-code.ts";

/** True also for a path that cannot be examined, such as in a folder without rights or a link to itself: reading it says why. */
export function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(errorCode(error));
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
