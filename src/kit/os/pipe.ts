import { constants, fstatSync, openSync, statSync } from "node:fs";
import { closeQuietly } from "./file-errors.ts";

// Opened close-on-exec, so child processes do not inherit them.
export type Pipe = {
  readonly readEnd: number;
  readonly writeEnd: number;
  readonly isSocket: boolean;
};

const closeOnExec = 0o2_000_000;

const [unixFamily, streamType] = [1, 1];

const loaded = new Map<string, Pick<CFunctions, "pipe2" | "socketpair">>();

// The runtime only makes socket pairs, which cannot be reopened as `/dev/stdin`.
export function openPipe(platform: string, library: string = cLibrary): Pipe | undefined {
  const ends = openEnds(platform, library, (c, address) => c.pipe2(address, closeOnExec));
  return ends && { ...ends, isSocket: false };
}

// Like the runtime's pairs, but with known descriptors. Undefined where that is not possible.
export function openSocketPair(platform: string, library: string = cLibrary): Pipe | undefined {
  const ends = openEnds(platform, library, (c, address) =>
    c.socketpair(unixFamily, streamType | closeOnExec, 0, address),
  );
  return ends && { ...ends, isSocket: true };
}

type Open = (c: Pick<CFunctions, "pipe2" | "socketpair">, address: number) => number;

function openEnds(
  platform: string,
  library: string,
  open: Open,
): Pick<Pipe, "readEnd" | "writeEnd"> | undefined {
  if (platform !== "linux") return undefined;
  try {
    const c = loaded.get(library) ?? loadC(library);
    loaded.set(library, c);
    const ends = new Int32Array(2);
    if (open(c, takeAddress(ends)) !== 0) return undefined;
    const [readEnd = -1, writeEnd = -1] = ends;
    return { readEnd, writeEnd };
  } catch {
    return undefined;
  }
}

export function closePipe({ readEnd, writeEnd }: Pipe): void {
  closeQuietly(readEnd);
  closeQuietly(writeEnd);
}

// Linux: F_SETPIPE_SZ, and the largest size for a user without privileges.
const [setPipeSize, pipeBytesMax] = [1031, 1024 * 1024];

export function enlargePipe(fd: number, library: string = cLibrary): void {
  try {
    if (!fstatSync(fd).isFIFO()) return;
    loadC(library).fcntl(fd, setPipeSize, pipeBytesMax);
  } catch {
    // A closed descriptor, or a system without the library.
  }
}

// Opens the pipe again: other programs share the descriptor, and so would get its new flags.
export function reopenPipe(fd: number, access: "read" | "write"): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return undefined;
    const mode = access === "read" ? constants.O_RDONLY : constants.O_WRONLY;
    return openSync(`/proc/self/fd/${fd}`, mode | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

export function isNullDevice(fd: number): boolean {
  try {
    const [{ rdev }, device] = [statSync("/dev/null"), fstatSync(fd)];
    return device.isCharacterDevice() && device.rdev === rdev;
  } catch {
    return false;
  }
}

export function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}

// The name on every Linux distribution except those with musl.
export const cLibrary = "libc.so.6";

// Addresses are numbers. Returned counts are small enough for 32 bits.
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

// Throws if not found. Loading bun:ffi takes half a millisecond, so it is loaded at the first call.
export function loadC(library: string = cLibrary): CFunctions {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  return dlopen(library, signatures).symbols;
}

// The address is valid in every thread. The caller must keep the buffer referenced.
export function takeAddress(bytes: Uint8Array | Int32Array): number {
  const { ptr }: typeof import("bun:ffi") = require("bun:ffi");
  return ptr(bytes);
}
