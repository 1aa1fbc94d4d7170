import { closeSync, createReadStream, fstatSync, readFileSync } from "node:fs";
import { createZstdDecompress, zstdDecompressSync } from "node:zlib";
import { attempt, UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { openToRead } from "#kit/os/open-file.ts";

// Packing reduces imported records to a tenth of their size.
export const packedRecordsEnding = ".ndjson.zst";

// A higher level saves a tenth of the bytes for twice the time.
const packLevel = 1;

export function packBytes(bytes: Uint8Array): Uint8Array {
  return Bun.zstdCompressSync(bytes, { level: packLevel });
}

/** Only for bytes that this installation packed: the unpacked size is not limited. Throws if they are damaged. */
export function unpackText(packed: Uint8Array): string {
  return Bun.zstdDecompressSync(packed).toString();
}

// Most logs unpack to between 5 and 20 times their size, repetitive ones to as much as 100 times.
const unpackedRatioMax = 100;

// Up to this unpacked size, any ratio is allowed.
const unpackedFreeBytes = 64 * 1024 * 1024;

const unpackedBytesMax = 4 * 1024 * 1024 * 1024;

const readBytesMax = 1024 * 1024;

export type TakeChunk = (chunk: Buffer) => boolean;

// Unpacks large files in small steps: ten megabytes may unpack to 300 gigabytes. Passes the beginning of a truncated
// file to `take`. Returns a fault if the file cannot be read.
export async function takePacked(path: string, take: TakeChunk): Promise<string | undefined> {
  const opened = openToRead(path);
  if ("fault" in opened) return opened.fault;
  try {
    const { size } = fstatSync(opened.fd);
    const whole = size > 0 && size <= readBytesMax ? unpackSmall(path) : undefined;
    if (!whole) return await takeStream(path, opened.fd, size, take);
    closeSync(opened.fd);
    take(whole);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = readErrorCode(error);
    return code.startsWith("ZSTD_") ? "the file is damaged" : code;
  }
}

// Much faster than a stream.
function unpackSmall(path: string): Buffer | undefined {
  return attempt(() => {
    const packed = readFileSync(path);
    const whole = zstdDecompressSync(packed, { maxOutputLength: unpackedFreeBytes });
    // If a file is truncated in its first block, `zstdDecompressSync` returns no bytes, but Bun's function fails.
    return whole.length > 0 ? whole : Bun.zstdDecompressSync(packed);
  });
}

// Closes `fd`.
async function takeStream(
  path: string,
  fd: number,
  size: number,
  take: TakeChunk,
): Promise<string | undefined> {
  const ratioBytesMax = unpackedFreeBytes + size * unpackedRatioMax;
  const source = createReadStream(path, { fd, highWaterMark: readBytesMax });
  let bytes = 0;
  try {
    for await (const chunk of source.pipe(createZstdDecompress())) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > ratioBytesMax) return `it unpacks to over ${unpackedRatioMax} times its size`;
      if (bytes > unpackedBytesMax) return "it is too large";
      if (!take(chunk)) return undefined;
    }
    return undefined;
  } finally {
    source.destroy();
  }
}
