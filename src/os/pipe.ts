import { constants, fstatSync, openSync, statSync } from "node:fs";
import { addressOf, cLibrary, type CFunctions, loadC } from "./c-library.ts";
import { closeQuietly } from "./close-quietly.ts";

/** The two ends of a pipe or of a pair of sockets: our descriptors, which no other program inherits by itself. */
export type Pipe = {
  readonly readEnd: number;
  readonly writeEnd: number;
  readonly isSocket: boolean;
};

/** `O_CLOEXEC`, and `SOCK_CLOEXEC`, of Linux. */
const closeOnExec = 0o2_000_000;

/** `AF_UNIX` and `SOCK_STREAM` of Linux. */
const [unixFamily, streamType] = [1, 1];

const loaded = new Map<string, Pick<CFunctions, "pipe2" | "socketpair">>();

/**
 * Opens a pipe; undefined where that is not possible. The runtime itself makes only socket pairs, which a
 * program cannot open again as `/dev/stdin`, so the C library is called.
 */
export function openPipe(platform: string, library: string = cLibrary): Pipe | undefined {
  const ends = openEnds(platform, library, (c, address) => c.pipe2(address, closeOnExec));
  return ends && { ...ends, isSocket: false };
}

/** Opens a pair of sockets, as the runtime does, but with descriptors that we know; undefined where that is not possible. */
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
    if (open(c, addressOf(ends)) !== 0) return undefined;
    const [readEnd = -1, writeEnd = -1] = ends;
    return { readEnd, writeEnd };
  } catch {
    return undefined;
  }
}

/** Closes the ends that are still open. */
export function closePipe({ readEnd, writeEnd }: Pipe): void {
  closeQuietly(readEnd);
  closeQuietly(writeEnd);
}

/** `F_SETPIPE_SZ` of Linux, and the most that it gives to a user without privileges. */
const [setPipeSize, pipeBytesMax] = [1031, 1024 * 1024];

/** Lets a pipe hold a megabyte; a descriptor that is not a pipe, and any on another system, stays as it is. */
export function enlargePipe(fd: number, library: string = cLibrary): void {
  try {
    if (!fstatSync(fd).isFIFO()) return;
    loadC(library).fcntl(fd, setPipeSize, pipeBytesMax);
  } catch {
    // A closed descriptor, or a system without the library.
  }
}

/**
 * One of our pipes once more, with flags of its own, so that it makes no program wait: those of the descriptor are
 * shared with other programs. Undefined for anything but a pipe, and where that is impossible: it is of another
 * user, has no reader, or there is no `/proc`.
 */
export function reopenPipe(fd: number, access: "read" | "write"): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return undefined;
    const mode = access === "read" ? constants.O_RDONLY : constants.O_WRONLY;
    return openSync(`/proc/self/fd/${fd}`, mode | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** True for `/dev/null`. */
export function isNullDevice(fd: number): boolean {
  try {
    const [{ rdev }, device] = [statSync("/dev/null"), fstatSync(fd)];
    return device.isCharacterDevice() && device.rdev === rdev;
  } catch {
    return false;
  }
}

/** True for a socket, as Node makes for its children. */
export function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}
