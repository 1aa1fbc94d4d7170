import { cLibrary, findC } from "./c-library.ts";

const [shared, exclusive, nonBlocking] = [1, 2, 4];

// Lasts until the last descriptor closes. Does nothing where flock is missing.
export function markInUse(fd: number, library: string = cLibrary): void {
  findC(library)?.flock(fd, shared | nonBlocking);
}

// False if another process uses the file, or if flock is missing.
export function tryUseAlone(fd: number, library: string = cLibrary): boolean {
  return findC(library)?.flock(fd, exclusive | nonBlocking) === 0;
}

export function canUseAlone(library: string = cLibrary): boolean {
  return findC(library) !== undefined;
}
