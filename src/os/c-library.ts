/** The C library of every Linux distribution but those with musl. */
export const cLibrary = "libc.so.6";

/** A count of bytes or an offset, which the runtime gives as a number: `FFIType.i64_fast`. */
const count = 15;

/** How the functions are called. */
const signatures = {
  pipe2: { args: ["ptr", "i32"], returns: "i32" },
  socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  open: { args: ["ptr", "i32", "i32"], returns: "i32" },
  unlink: { args: ["ptr"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
  read: { args: ["i32", "ptr", "u64"], returns: count },
  write: { args: ["i32", "ptr", "u64"], returns: count },
  recv: { args: ["i32", "ptr", "u64", "i32"], returns: count },
  send: { args: ["i32", "ptr", "u64", "i32"], returns: count },
  pwrite: { args: ["i32", "ptr", "u64", count], returns: count },
  clock_gettime: { args: ["i32", "ptr"], returns: "i32" },
} as const;

/** A function of the C library. */
type CFunction = keyof typeof signatures;

/** The functions by name. Addresses are numbers, and so are counts: none comes near 2^53. A result of -1 is a failure. */
export type CFunctions<Name extends CFunction> = {
  readonly [name in Name]: (...args: readonly number[]) => number;
};

/**
 * Loads functions of the C library; throws where there is no such library. The runtime's module for it is loaded by
 * the first call, because it takes half a millisecond.
 */
export function loadFromC<Name extends CFunction>(
  names: readonly Name[],
  library: string = cLibrary,
): CFunctions<Name> {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  const wanted: Partial<typeof signatures> = Object.fromEntries(
    names.map((name) => [name, signatures[name]]),
  );
  return dlopen(library, wanted as typeof signatures).symbols as unknown as CFunctions<Name>;
}

/** The address of a buffer's first byte, the same in every thread; the buffer must stay referenced. */
export function addressOf(bytes: Uint8Array | Int32Array): number {
  const { ptr }: typeof import("bun:ffi") = require("bun:ffi");
  return ptr(bytes);
}
