import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { identityPauseMs, identityWaitMaxMs } from "#limits/records.ts";
import { canLock, takeAlone } from "#os/file-lock.ts";

// Without O_NONBLOCK, opening a pipe would wait for its writer.
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The name under which the damaged content of a file is kept, so that the repair is noticed. */
export function damagedName(path: string): string {
  return `${path}.damaged`;
}

/** How a file is repaired. */
export type Repair = {
  readonly isWhole: () => boolean;
  /** Makes a whole file in the same folder, and gives its path. */
  readonly make: () => string;
};

/**
 * Replaces a file that is not whole by another one. Many processes may try at the same time: the first one does, and the others
 * wait for it, by a lock on the damaged file. Anything but a regular file stays as it is.
 */
export function repairFile(path: string, repair: Repair): void {
  try {
    const fd = openSync(path, readOnly);
    try {
      if (fstatSync(fd).isFile() && isAlone(fd)) replace(path, fd, repair);
    } finally {
      closeSync(fd);
    }
  } catch {
    // It cannot be read, or its folder cannot be written.
  }
}

/** Where nothing can be locked, of two repairs at the same time the last one holds. */
function isAlone(fd: number): boolean {
  if (!canLock()) return true;
  const end = performance.now() + identityWaitMaxMs;
  while (!takeAlone(fd)) {
    if (performance.now() > end) return false;
    Bun.sleepSync(identityPauseMs);
  }
  return true;
}

function replace(path: string, fd: number, { isWhole, make }: Repair): void {
  // Another process was faster: the lock is one on a file that was there before.
  if (isWhole() || lstatSync(path).ino !== fstatSync(fd).ino) return;
  const own = make();
  try {
    rmSync(damagedName(path), { force: true });
    linkSync(path, damagedName(path));
    renameSync(own, path);
  } finally {
    rmSync(own, { force: true });
  }
}
