import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { inputReadBytesMax } from "#limits.ts";
import { errorCode } from "./error-code.ts";

/** The bytes of a file, or why there are none: a system error code or a clause. */
export type FileContent = { readonly bytes: Uint8Array } | { readonly fault: string };

/**
 * Reads a whole file that the user named, up to `bytesMax` bytes. It may be a pipe, whose size is not known
 * before it was read.
 */
export function readWholeFile(file: string, bytesMax: number): FileContent {
  try {
    const fd = openSync(file, "r");
    try {
      return readDescriptor(fd, bytesMax);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return { fault: errorCode(error) };
  }
}

/**
 * Reads a file that the user named chunk by chunk, however long it is; `-` is stdin. Throws UserError when it
 * cannot be read.
 */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  const stdin = file === "-" ? { fd: 0, autoClose: false } : {};
  try {
    yield* createReadStream(file, { ...stdin, highWaterMark: inputReadBytesMax });
  } catch (error) {
    throw new UserError(sentences.fileUnreadable(file, errorCode(error)));
  }
}

function readDescriptor(fd: number, bytesMax: number): FileContent {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = new Uint8Array(inputReadBytesMax);
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) return { bytes: Buffer.concat(chunks) };
    size += read;
    if (size > bytesMax) return { fault: `it has more than ${bytesMax} bytes` };
    chunks.push(chunk.subarray(0, read));
  }
}
