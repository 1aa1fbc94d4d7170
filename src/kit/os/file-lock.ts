import { cLibrary } from "./c-library.ts";

const [shared, exclusive, withoutWaiting] = [1, 2, 4];

type Flock = (fd: number, operation: number) => number;

const loaded = new Map<string, Flock | undefined>();

/** Until the last descriptor is closed, even by the end of the process. Does nothing where it is impossible. */
export function markInUse(fd: number, library: string = cLibrary): void {
  flockOf(library)?.(fd, shared | withoutWaiting);
}

/** False when another process has it, or that cannot be known. */
export function takeAlone(fd: number, library: string = cLibrary): boolean {
  return flockOf(library)?.(fd, exclusive | withoutWaiting) === 0;
}

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
