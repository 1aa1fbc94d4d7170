import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { magic } from "#tokenizer/layout.ts";
import type { VocabularyPlace } from "./vocabulary-places.ts";

/** The file of the running executable, where Linux shows it. */
const ownFile = "/proc/self/exe";

/**
 * The vocabulary at a place in our own file; undefined when it is not there. The runtime maps the whole executable, so
 * a copy of an embedded file is in memory twice; a read leaves the mapped pages alone.
 */
export function readPlace(
  { offset, length }: VocabularyPlace,
  file: string = ownFile,
): ArrayBuffer | undefined {
  try {
    const bytes = new Uint8Array(length);
    const fd = openSync(file, "r");
    try {
      if (readSync(fd, bytes, 0, length, offset) !== length) return undefined;
    } finally {
      closeSync(fd);
    }
    return new DataView(bytes.buffer).getUint32(0, true) === magic ? bytes.buffer : undefined;
  } catch {
    return undefined;
  }
}

/** An embedded file, or one of the file system. */
export function readEmbedded(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return ownBuffer(buffer, byteOffset, byteLength);
}

/** A buffer of these bytes alone: the runtime may return a part of a shared pool. */
function ownBuffer(buffer: ArrayBufferLike, start: number, length: number): ArrayBuffer {
  if (buffer instanceof ArrayBuffer && start === 0 && buffer.byteLength === length) return buffer;
  return new Uint8Array(new Uint8Array(buffer, start, length)).buffer;
}
