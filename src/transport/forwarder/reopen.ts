import { isSocket, reopenPipe } from "#kit/os/pipe.ts";
import type { PortEnds } from "./port.ts";

// Reopens a pipe to get separate flags; calls on a socket can be non-blocking one by one. Undefined for
// anything else.
export function reopen(fd: number, access: "read" | "write"): PortEnds | undefined {
  if (isSocket(fd)) return { fd, ownFd: fd, isSocket: true };
  const ownFd = reopenPipe(fd, access);
  return ownFd === undefined ? undefined : { fd, ownFd, isSocket: false };
}
