/** Blocking standard input and output: what a fixture server needs to add next to no time of its own. */
import { readSync, writeSync } from "node:fs";

const retryMs = 1;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Reads what is there into `buffer` from `offset`; 0 at the end of input. */
export function readSome(buffer: Buffer, offset: number): number {
  return retrying(() => readSync(0, buffer, offset, buffer.length - offset, null));
}

/** Writes every byte; ends the process quietly when nobody reads any more. */
export function writeAll(bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += retrying(() => writeSync(1, bytes, written, bytes.length - written));
  }
}

/** A wrapper may hand us non-blocking ends; then a full or empty pipe is asked again a little later. */
function retrying(attempt: () => number): number {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, retryMs);
    }
  }
}
