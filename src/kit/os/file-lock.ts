import { cLibrary, findC } from "./c-library.ts";

const [shared, exclusive, nonBlocking] = [1, 2, 4];

// The lock lasts until the last descriptor closes. Does nothing where flock is missing.
export function lockShared(fd: number, library: string = cLibrary): void {
  findC(library)?.flock(fd, shared | nonBlocking);
}

// False if another process holds the lock, or if flock is missing.
export function tryLockExclusive(fd: number, library: string = cLibrary): boolean {
  return findC(library)?.flock(fd, exclusive | nonBlocking) === 0;
}

export function canLock(library: string = cLibrary): boolean {
  return findC(library) !== undefined;
}
