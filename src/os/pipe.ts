import { closeSync, fstatSync } from "node:fs";

/** The two ends of a pipe: our descriptors, which no other program inherits by itself. */
export type Pipe = { readonly readEnd: number; readonly writeEnd: number };

type Pipe2 = (ends: Int32Array, flags: number) => number;

/** The C library of every Linux distribution but those with musl. */
export const cLibrary = "libc.so.6";

/** `O_CLOEXEC` of Linux. */
const closeOnExec = 0o2_000_000;

const loaded = new Map<string, Pipe2>();

/**
 * Opens a pipe; undefined where that is not possible. The runtime itself makes only socket pairs, which a
 * program cannot open again as `/dev/stdin`, so the C library is called.
 */
export function openPipe(platform: string, library: string = cLibrary): Pipe | undefined {
  if (platform !== "linux") return undefined;
  try {
    const pipe2 = loaded.get(library) ?? loadPipe2(library);
    loaded.set(library, pipe2);
    const ends = new Int32Array(2);
    if (pipe2(ends, closeOnExec) !== 0) return undefined;
    const [readEnd = -1, writeEnd = -1] = ends;
    return { readEnd, writeEnd };
  } catch {
    return undefined;
  }
}

/** Closes the ends that are still open. */
export function closePipe({ readEnd, writeEnd }: Pipe): void {
  for (const end of [readEnd, writeEnd]) {
    try {
      closeSync(end);
    } catch {
      // It was closed before.
    }
  }
}

/** `F_SETPIPE_SZ` of Linux, and the most that it gives to a user without privileges. */
const [setPipeSize, pipeBytesMax] = [1031, 1024 * 1024];

/** Lets a pipe hold a megabyte; a descriptor that is not a pipe, and any on another system, stays as it is. */
export function enlargePipe(fd: number, library: string = cLibrary): void {
  try {
    if (!fstatSync(fd).isFIFO()) return;
    const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
    const signature = { args: ["i32", "i32", "i32"], returns: "i32" } as const;
    dlopen(library, { fcntl: signature }).symbols.fcntl(fd, setPipeSize, pipeBytesMax);
  } catch {
    // A closed descriptor, or a system without the library.
  }
}

/**
 * True for a descriptor that a server could open again by its path and read to an end: a pipe or a file. A socket cannot
 * be opened, and a terminal or `/dev/null` holds no session.
 */
export function isPipeOrFile(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile();
  } catch {
    return false;
  }
}

/** Loads the runtime's module for calls of C functions on the first call: it takes half a millisecond. */
function loadPipe2(library: string): Pipe2 {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  const signature = { args: ["ptr", "i32"], returns: "i32" } as const;
  return dlopen(library, { pipe2: signature }).symbols.pipe2;
}
