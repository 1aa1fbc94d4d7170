import { inputReadBytesMax } from "#limits.ts";
import { createReadStream } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { codeOf } from "./system-error.ts";

/** Bytes of a file in chunks, `-` is stdin. Throws UserError when it cannot be read. */
export async function* inputBytes(file: string): AsyncGenerator<Uint8Array> {
  const from = file === "-" ? { fd: 0, autoClose: false } : {};
  try {
    yield* createReadStream(file, { ...from, highWaterMark: inputReadBytesMax });
  } catch (error) {
    throw new UserError(sentences.fileUnreadable(file, codeOf(error)));
  }
}
