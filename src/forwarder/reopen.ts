import { constants, fstatSync, openSync } from "node:fs";
import { isSocket } from "#os/pipe.ts";
import type { PortEnds } from "./port.ts";

/**
 * One of our own descriptors for use without waiting. A pipe is opened a second time, with flags of its own: those of
 * the descriptor are shared with other programs. With a socket, each call says that it must not wait. Undefined for
 * anything else, and where the pipe cannot be opened: it is of another user, has no reader, or there is no `/proc`.
 */
export function reopen(fd: number, access: "read" | "write"): PortEnds | undefined {
  try {
    if (isSocket(fd)) return { fd, ownFd: fd, isSocket: true };
    if (!fstatSync(fd).isFIFO()) return undefined;
    const mode = access === "read" ? constants.O_RDONLY : constants.O_WRONLY;
    const ownFd = openSync(`/proc/self/fd/${fd}`, mode | constants.O_NONBLOCK);
    return { fd, ownFd, isSocket: false };
  } catch {
    return undefined;
  }
}
