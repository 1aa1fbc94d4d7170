import { addressOf, cLibrary, type CFunctions, loadC } from "./c-library.ts";

/** `POLLERR` and `POLLHUP`: the reader has left. */
const over = 8 | 16;

const loaded = new Map<string, Pick<CFunctions, "poll">>();

export function isAbandoned(fd: number, library: string = cLibrary): boolean {
  try {
    // The form of `struct pollfd`: the descriptor, then events, and in the upper half results.
    const question = Int32Array.of(fd, 0);
    const c = loaded.get(library) ?? loadC(library);
    loaded.set(library, c);
    c.poll(addressOf(question), 1, 0);
    return (((question[1] ?? 0) >>> 16) & over) !== 0;
  } catch {
    return false;
  }
}
