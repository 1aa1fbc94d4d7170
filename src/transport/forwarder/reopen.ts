import { isSocket, reopenPipe } from "#kit/os/pipe.ts";
import type { PortEnds } from "./port.ts";

/** A pipe is opened a second time; with a socket each call says that it must not wait. Undefined for anything else, and for a pipe that cannot be opened. */
export function reopen(fd: number, access: "read" | "write"): PortEnds | undefined {
  if (isSocket(fd)) return { fd, ownFd: fd, isSocket: true };
  const ownFd = reopenPipe(fd, access);
  return ownFd === undefined ? undefined : { fd, ownFd, isSocket: false };
}
