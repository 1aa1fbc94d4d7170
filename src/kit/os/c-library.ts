/** On every Linux distribution but those with musl. */
export const cLibrary = "libc.so.6";

/** Addresses are numbers; returned counts are small, so half of a word is enough. */
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

export type CFunctions = {
  readonly [name in keyof typeof signatures]: (...args: readonly number[]) => number;
};

/** Throws when missing. The runtime's module takes half a millisecond and is loaded at the first call. */
export function loadC(library: string = cLibrary): CFunctions {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  return dlopen(library, signatures).symbols;
}

/** The same in every thread; the buffer must stay referenced. */
export function addressOf(bytes: Uint8Array | Int32Array): number {
  const { ptr }: typeof import("bun:ffi") = require("bun:ffi");
  return ptr(bytes);
}
