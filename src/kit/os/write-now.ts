import { fstatSync, type Stats, writeSync } from "node:fs";
import { addressOf, cLibrary, loadC } from "./c-library.ts";
import { reopenPipe } from "./pipe.ts";
import type { WriteNow } from "./text-queue.ts";

/** A write of at most `pollableBytes` would not wait, or fail at once. */
type Poll = (fd: number) => boolean;

/** `PIPE_BUF` of Linux: a pipe that polls as writable takes as many bytes. A socket takes more. */
const pollableBytes = 4_096;

/** `POLLOUT` of Linux, and its `struct pollfd`: descriptor, events, and in the upper half results. */
const pollOut = 4;

/** Never waits for the reader, and leaves the flags alone: the server shares them. Files are written directly. */
export function writerNow(fd: number, library: string = cLibrary): WriteNow {
  const stats = statsOf(fd);
  if (stats?.isFIFO() !== true && stats?.isSocket() !== true)
    return (bytes) => writeSync(fd, bytes);
  const reopened = reopenPipe(fd, "write");
  if (reopened !== undefined) return (bytes) => writeSync(reopened, bytes);
  const poll = loadPoll(library);
  if (!poll) return (bytes) => writeSync(fd, bytes);
  return (bytes) => (poll(fd) ? writeSync(fd, bytes.subarray(0, pollableBytes)) : 0);
}

function statsOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

function loadPoll(library: string): Poll | undefined {
  try {
    const { poll } = loadC(library);
    return (fd) => poll(addressOf(Int32Array.of(fd, pollOut)), 1, 0) > 0;
  } catch {
    return undefined;
  }
}
