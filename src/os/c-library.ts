/** The C library of every Linux distribution but those with musl. */
export const cLibrary = "libc.so.6";

/** How the functions are called. Addresses are numbers; the counts that are returned are small, so half of a word is enough. */
const signatures = {
  pipe2: { args: ["u64", "i32"], returns: "i32" },
  socketpair: { args: ["i32", "i32", "i32", "u64"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
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

/** Functions of the C library, by name. A result of -1 is a failure. */
export type CFunctions = {
  readonly [name in keyof typeof signatures]: (...args: readonly number[]) => number;
};

/**
 * Loads the C library; throws where there is none of that name. The runtime's module for it is loaded by the first call,
 * because it takes half a millisecond.
 */
export function loadC(library: string = cLibrary): CFunctions {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  return dlopen(library, signatures).symbols;
}

/** The address of a buffer's first byte, the same in every thread; the buffer must stay referenced. */
export function addressOf(bytes: Uint8Array | Int32Array): number {
  const { ptr }: typeof import("bun:ffi") = require("bun:ffi");
  return ptr(bytes);
}
