import { readFileSync, statSync } from "node:fs";
import { attempt, tryParseJson } from "#kit/errors.ts";
import { keyedSha256 } from "#kit/os/hash.ts";
import { writeCacheText } from "./cache-file.ts";
import { packBytes, unpackText } from "./read-records.ts";

type Seal = {
  readonly key: string;
  // Names everything on which the value depends.
  readonly variant: string;
};

export const sealBytes = 64;

// Undefined unless this installation wrote the file for the same variant.
export function readSealedFile(file: string, bytesMax: number, seal: Seal): unknown {
  return attempt(() => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > bytesMax) return undefined;
    const bytes = readFileSync(file);
    const packed = bytes.subarray(sealBytes);
    if (bytes.toString("latin1", 0, sealBytes) !== makeSeal(packed, seal)) return undefined;
    return tryParseJson(unpackText(packed));
  });
}

// Never throws, like `writeCacheText`.
export function writeSealedFile(file: string, value: object, seal: Seal): void {
  const packed = packBytes(Buffer.from(JSON.stringify(value)));
  writeCacheText(file, Buffer.concat([Buffer.from(makeSeal(packed, seal)), packed]));
}

function makeSeal(packed: Uint8Array, { key, variant }: Seal): string {
  return keyedSha256(key, `${variant}\n`, packed);
}
