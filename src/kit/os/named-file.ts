import { closeSync, createReadStream, readSync } from "node:fs";
import { sentences, UserError } from "../errors.ts";
import { inputReadBytesMax } from "../limits.ts";
import { errorCode } from "./error-code.ts";
import { openToRead } from "./open-file.ts";

export type FileContent = { readonly bytes: Uint8Array } | { readonly fault: string };

/** Never waits for a pipe, except for one that the shell opened, as in `<(command)`. */
export function readWholeFile(file: string, bytesMax: number): FileContent {
  const opened = openToRead(file);
  if ("fault" in opened) return opened;
  const { fd, isInherited } = opened;
  try {
    return readDescriptor(fd, bytesMax);
  } catch (error) {
    return { fault: errorCode(error) };
  } finally {
    if (!isInherited) closeSync(fd);
  }
}

/** Of any length; `-` is stdin. Throws UserError when it cannot be read. */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  const opened = openToRead(file === "-" ? "/dev/stdin" : file);
  if ("fault" in opened) throw new UserError(sentences.fileUnreadable(file, opened.fault));
  const { fd, isInherited } = opened;
  const options = { fd, autoClose: !isInherited, highWaterMark: inputReadBytesMax };
  try {
    yield* createReadStream(file, options);
  } catch (error) {
    throw new UserError(sentences.fileUnreadable(file, errorCode(error)));
  }
}

/** `-` is stdin; chunks are reused. A regular file is read without turns of the event loop. Throws UserError. */
export async function takeChunks(file: string, take: (chunk: Uint8Array) => void): Promise<void> {
  const opened = openToRead(file === "-" ? "/dev/stdin" : file);
  if ("fault" in opened) throw new UserError(sentences.fileUnreadable(file, opened.fault));
  if (opened.isInherited) {
    for await (const chunk of readChunks(file)) take(chunk);
    return;
  }
  try {
    takeNow(opened.fd, take);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(sentences.fileUnreadable(file, errorCode(error)));
  } finally {
    closeSync(opened.fd);
  }
}

/** Kept for the next file: allocating it takes a tenth of the time of a small file. */
let sharedChunk: Uint8Array | undefined;

function takeNow(fd: number, take: (chunk: Uint8Array) => void): void {
  sharedChunk ??= new Uint8Array(inputReadBytesMax);
  for (;;) {
    const read = readSync(fd, sharedChunk, 0, sharedChunk.length, null);
    if (read === 0) return;
    take(sharedChunk.subarray(0, read));
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
