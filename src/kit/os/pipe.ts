import { attempt } from "../errors.ts";
import { constants, fstatSync, openSync, statSync } from "node:fs";
import { type CFunctions, cLibrary, findC, takeAddress } from "./c-library.ts";
import { closeQuietly } from "./file-errors.ts";

// The default capacity of a pipe.
export const forwardedReadBytesMax = 64 * 1024;

// Both ends are closed on exec, so that child processes do not inherit them.
export type Pipe = {
  readonly readEnd: number;
  readonly writeEnd: number;
  readonly isSocket: boolean;
};

const closeOnExec = 0o2_000_000;

const [unixFamily, streamType] = [1, 1];

// By default, the runtime connects a child through sockets. A child can open a pipe as `/dev/stdin`, but not a socket.
export function openPipe(platform: string, library: string = cLibrary): Pipe | undefined {
  const ends = openEnds(platform, library, (c, address) => c.pipe2(address, closeOnExec));
  return ends && { ...ends, isSocket: false };
}

// The runtime does not expose the descriptors of its socket pairs.
export function openSocketPair(platform: string, library: string = cLibrary): Pipe | undefined {
  const ends = openEnds(platform, library, (c, address) =>
    c.socketpair(unixFamily, streamType | closeOnExec, 0, address),
  );
  return ends && { ...ends, isSocket: true };
}

function openEnds(
  platform: string,
  library: string,
  open: (c: CFunctions, address: number) => number,
): Pick<Pipe, "readEnd" | "writeEnd"> | undefined {
  const c = platform === "linux" ? findC(library) : undefined;
  const ends = new Int32Array(2);
  if (!c || open(c, takeAddress(ends)) !== 0) return undefined;
  const [readEnd = -1, writeEnd = -1] = ends;
  return { readEnd, writeEnd };
}

export function closePipe({ readEnd, writeEnd }: Pipe): void {
  closeQuietly(readEnd);
  closeQuietly(writeEnd);
}

// Linux: F_SETPIPE_SZ, and the largest size for a user without privileges.
const [setPipeSize, pipeBytesMax] = [1031, 1024 * 1024];

export function enlargePipe(fd: number, library: string = cLibrary): void {
  // The descriptor may be closed.
  if (attempt(() => fstatSync(fd).isFIFO(), false))
    findC(library)?.fcntl(fd, setPipeSize, pipeBytesMax);
}

// Opens the pipe again with O_NONBLOCK. Setting that flag on `fd` would change it for all programs that share `fd`.
export function reopenPipe(fd: number, access: "read" | "write"): number | undefined {
  return attempt(() => {
    if (!fstatSync(fd).isFIFO()) return undefined;
    const mode = access === "read" ? constants.O_RDONLY : constants.O_WRONLY;
    return openSync(`/proc/self/fd/${fd}`, mode | constants.O_NONBLOCK);
  });
}

export function isNullDevice(fd: number): boolean {
  return attempt(() => {
    const [{ rdev }, device] = [statSync("/dev/null"), fstatSync(fd)];
    return device.isCharacterDevice() && device.rdev === rdev;
  }, false);
}

export function isSocket(fd: number): boolean {
  return attempt(() => fstatSync(fd).isSocket(), false);
}
