import { cLibrary } from "./c-library.ts";

/** `LOCK_SH`, `LOCK_EX` and `LOCK_NB` of Linux. */
const [shared, exclusive, withoutWaiting] = [1, 2, 4];

type Flock = (fd: number, operation: number) => number;

const loaded = new Map<string, Flock | undefined>();

/**
 * Marks an open file as in use, until its last descriptor is closed, be it by the end of the process. Others of this
 * kernel can see that in any namespace; no reader or writer is stopped by it. Does nothing where that is impossible.
 */
export function markInUse(fd: number, library: string = cLibrary): void {
  flockOf(library)?.(fd, shared | withoutWaiting);
}

/** Takes an open file for this process alone, until it is closed. False when another one has it, or that cannot be known. */
export function takeAlone(fd: number, library: string = cLibrary): boolean {
  return flockOf(library)?.(fd, exclusive | withoutWaiting) === 0;
}

/** False where no file can be locked: without the C library of Linux. */
export function canLock(library: string = cLibrary): boolean {
  return flockOf(library) !== undefined;
}

function flockOf(library: string): Flock | undefined {
  if (!loaded.has(library)) loaded.set(library, load(library));
  return loaded.get(library);
}

function load(library: string): Flock | undefined {
  try {
    const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
    return dlopen(library, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols.flock;
  } catch {
    return undefined;
  }
}
