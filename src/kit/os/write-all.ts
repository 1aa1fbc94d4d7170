import { write } from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "./error-code.ts";

const writeOnce = promisify(write);

/** Between two attempts to write to a descriptor that does not block. */
const pauseMs = 2;

/** Waits for the reader while the event loop turns. Resolves with the system error code of a failure. */
export async function writeAll(fd: number, bytes: Uint8Array): Promise<string | undefined> {
  let written = 0;
  while (written < bytes.length) {
    try {
      const { bytesWritten } = await writeOnce(fd, bytes, written, bytes.length - written, null);
      written += bytesWritten;
    } catch (error) {
      const code = errorCode(error);
      if (code !== "EAGAIN") return code;
      await Bun.sleep(pauseMs);
    }
  }
  return undefined;
}
