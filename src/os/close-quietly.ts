import { closeSync } from "node:fs";

/** Closes one of our descriptors, so the other end learns at once that it is no longer in use. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The runtime closed it already.
  }
}
