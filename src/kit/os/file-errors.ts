import { attempt } from "../errors.ts";
import { closeSync, accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

export function readErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

// Ignores errors: the runtime may have closed the descriptor already.
export function closeQuietly(fd: number): void {
  attempt(() => closeSync(fd));
}

export function catchErrorCode(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return readErrorCode(error);
  }
}

export function makeDisposableFile(fd: number): Disposable & { readonly fd: number } {
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}

// Returns a system error code if we cannot create files in the folder. A missing folder is fine if we can create it.
export function findFolderFault(folder: string): string | undefined {
  const fault = findWriteFault(folder);
  const parent = dirname(folder);
  return fault === "ENOENT" && parent !== folder ? findFolderFault(parent) : fault;
}

export function findNewFileFault(file: string): string | undefined {
  return findWriteFault(dirname(file));
}

const rootUid = 0;

const [othersWrite, sticky] = [0o002, 0o1000];

// Rejects a folder that another user owns, or that every user can write to. Root may own the folder, and may use
// folders of other users. If `acceptsSticky` is true, accepts a world-writable folder with the sticky bit, which keeps
// users from replacing files of others.
export function findOwnershipFault(folder: string, acceptsSticky: boolean): string | undefined {
  const { uid, mode } = statSync(folder);
  const { uid: currentUid } = userInfo();
  if (uid !== currentUid && uid !== rootUid && currentUid !== rootUid)
    return "its folder belongs to another user";
  const isOpen = (mode & othersWrite) !== 0 && !(acceptsSticky && (mode & sticky) !== 0);
  return isOpen ? "every user can write to its folder" : undefined;
}

function findWriteFault(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return "ENOTDIR";
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return readErrorCode(error);
  }
}
