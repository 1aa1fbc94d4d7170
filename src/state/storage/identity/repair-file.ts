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
import { canLock, takeAlone } from "#kit/os/file-lock.ts";

// Another session writes a few bytes down to the disk.
const identityWaitMaxMs = 2_000;

const identityPauseMs = 2;

// Without O_NONBLOCK, opening a pipe would wait for its writer.
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The damaged content is kept, so that the repair is noticed. */
export function damagedName(path: string): string {
  return `${path}.damaged`;
}

export type Repair = {
  readonly isWhole: () => boolean;
  readonly make: () => string;
};

/** Many processes may try at once: a lock on the damaged file lets the first one repair it while the others wait. Anything but a regular file stays. */
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

/** Where nothing can be locked, the last of two simultaneous repairs holds. */
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
