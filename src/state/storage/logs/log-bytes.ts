import { closeSync, createReadStream, fstatSync, readSync } from "node:fs";
import { createZstdDecompress } from "node:zlib";
import { importGarbageBytesMax } from "../../limits.ts";
import { errorCode } from "#kit/os/error-code.ts";
import { openToRead } from "#kit/os/open-file.ts";
import { GarbageCount } from "../garbage-count.ts";

export const importReadBytesMax = 1024 * 1024;

/** Logs unpack to 5 to 20 times their size; one that repeats itself may reach a hundred. */
const unpackedRatioMax = 100;

/** Short logs may repeat themselves more. */
const unpackedFreeBytes = 64 * 1024 * 1024;

const unpackedBytesMax = 4 * 1024 * 1024 * 1024;

type TakeChunk = (chunk: Uint8Array) => boolean;

const garbage = new GarbageCount(importGarbageBytesMax);

/** Kept for the next file: allocating it takes longer than reading a small file. */
let sharedChunk: Uint8Array | undefined;

/** `take` gets chunks, which are reused, until it returns false. Unpacks `.zst`. Returns why it cannot be read, as a clause or a system error code. */
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

/** Unpacks in small steps: ten megabytes may be a terabyte. Of a truncated file, the beginning is read. */
async function takePacked(path: string, take: TakeChunk): Promise<string | undefined> {
  const opened = openToRead(path);
  if ("fault" in opened) return opened.fault;
  let bytes = 0;
  try {
    const ratioBytesMax = unpackedFreeBytes + fstatSync(opened.fd).size * unpackedRatioMax;
    const source = createReadStream(path, { fd: opened.fd, highWaterMark: importReadBytesMax });
    for await (const chunk of source.pipe(createZstdDecompress())) {
      if (!(chunk instanceof Uint8Array)) continue;
      bytes += chunk.length;
      if (bytes > ratioBytesMax) return `it unpacks to over ${unpackedRatioMax} times its size`;
      if (bytes > unpackedBytesMax) return "it is too large";
      if (!take(chunk)) return undefined;
      garbage.add(chunk.length);
    }
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    return code.startsWith("ZSTD_") ? "the file is damaged" : code;
  }
}
