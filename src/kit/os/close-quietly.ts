import { closeSync } from "node:fs";

/** The other end learns at once that it is no longer in use. */
export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The runtime closed it already.
  }
}
