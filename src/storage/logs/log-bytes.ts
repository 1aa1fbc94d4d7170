import { closeSync, createReadStream, readSync } from "node:fs";
import { createZstdDecompress } from "node:zlib";
import {
  importGarbageBytesMax,
  importReadBytesMax,
  importUnpackedBytesMax,
} from "#limits/import.ts";
import { errorCode } from "#os/error-code.ts";
import { openToRead } from "#os/open-file.ts";
import { GarbageCount } from "../garbage-count.ts";

/** Returns false when it needs no more. */
type TakeChunk = (chunk: Uint8Array) => boolean;

const garbage = new GarbageCount(importGarbageBytesMax);

/** Kept for the next file: to allocate it takes longer than to read a small file. */
let sharedChunk: Uint8Array | undefined;

/**
 * Passes the content of a log from a byte on to `take`, chunk by chunk, until it returns false; a chunk may be used again afterwards. A file whose
 * name ends with `.zst` is unpacked, and one that was packed since it was found is read from there. Returns why it
 * cannot be read, as a clause or a system error code; undefined on success.
 */
export async function takeLogBytes(
  path: string,
  take: TakeChunk,
  fromByte: number = 0,
): Promise<string | undefined> {
  if (path.endsWith(packedEnding)) return takePacked(path, take);
  const fault = takePlain(path, take, fromByte);
  if (fault !== "ENOENT" || !path.endsWith(".jsonl")) return fault;
  const other = await takePacked(`${path}${packedEnding}`, take);
  return other === "ENOENT" ? fault : other;
}

/** The end of the name of a compressed log. */
export const packedEnding = ".zst";

function takePlain(path: string, take: TakeChunk, fromByte: number): string | undefined {
  const opened = openToRead(path);
  if ("fault" in opened) return opened.fault;
  sharedChunk ??= new Uint8Array(importReadBytesMax);
  try {
    for (let at = fromByte; ;) {
      const read = readSync(opened.fd, sharedChunk, 0, sharedChunk.length, at);
      if (read === 0) return undefined;
      if (!take(sharedChunk.subarray(0, read))) return undefined;
      garbage.add(read);
      at += read;
    }
  } catch (error) {
    return errorCode(error);
  } finally {
    closeSync(opened.fd);
  }
}

/** Unpacks in small steps: ten megabytes may be a terabyte. Of a file that ends too early, its beginning is read. */
async function takePacked(path: string, take: TakeChunk): Promise<string | undefined> {
  const opened = openToRead(path);
  if ("fault" in opened) return opened.fault;
  let bytes = 0;
  try {
    const source = createReadStream(path, { fd: opened.fd, highWaterMark: importReadBytesMax });
    for await (const chunk of source.pipe(createZstdDecompress())) {
      if (!(chunk instanceof Uint8Array)) continue;
      bytes += chunk.length;
      if (bytes > importUnpackedBytesMax) return "it is too large";
      if (!take(chunk)) return undefined;
      garbage.add(chunk.length);
    }
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    return code.startsWith("ZSTD_") ? "the file is damaged" : code;
  }
}
