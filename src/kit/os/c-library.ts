import { attempt } from "../errors.ts";

// The file name of glibc; distributions with musl have no such file.
export const cLibrary = "libc.so.6";

// Addresses are passed as numbers. Returned byte counts fit into 32 bits.
const signatures = {
  pipe2: { args: ["u64", "i32"], returns: "i32" },
  socketpair: { args: ["i32", "i32", "i32", "u64"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  flock: { args: ["i32", "i32"], returns: "i32" },
  open: { args: ["u64", "i32", "i32"], returns: "i32" },
  unlink: { args: ["u64"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  poll: { args: ["u64", "u64", "i32"], returns: "i32" },
  read: { args: ["i32", "u64", "u64"], returns: "i32" },
  write: { args: ["i32", "u64", "u64"], returns: "i32" },
  recv: { args: ["i32", "u64", "u64", "i32"], returns: "i32" },
  send: { args: ["i32", "u64", "u64", "i32"], returns: "i32" },
  pwrite: { args: ["i32", "u64", "u64", "u64"], returns: "i32" },
  clock_gettime: { args: ["i32", "u64"], returns: "i32" },
} as const;

export type CFunctions = {
  readonly [name in keyof typeof signatures]: (...args: readonly number[]) => number;
};

const loaded = new Map<string, CFunctions>();

// Throws if the library is missing. Loading bun:ffi takes half a millisecond, so it is loaded at the first call.
export function loadC(library: string = cLibrary): CFunctions {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  return loaded.getOrInsertComputed(library, () => dlopen(library, signatures).symbols);
}

// Undefined where the library is missing, as on macOS and Alpine.
export function findC(library: string = cLibrary): CFunctions | undefined {
  return attempt(() => loadC(library));
}

// The address is valid in every thread. The caller must keep the buffer referenced.
export function takeAddress(bytes: Uint8Array | Int32Array): number {
  const { ptr }: typeof import("bun:ffi") = require("bun:ffi");
  return ptr(bytes);
}

const [shared, exclusive, nonBlocking] = [1, 2, 4];

// Tries to take a shared lock, held until the file is closed. Does nothing where flock is missing.
export function markInUse(fd: number, library: string = cLibrary): void {
  findC(library)?.flock(fd, shared | nonBlocking);
}

// False if the file is in use elsewhere, or if flock is missing.
export function tryExclusiveFlock(fd: number, library: string = cLibrary): boolean {
  return findC(library)?.flock(fd, exclusive | nonBlocking) === 0;
}

export function hasFlock(library: string = cLibrary): boolean {
  return findC(library) !== undefined;
}
