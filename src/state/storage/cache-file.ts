import { attempt, tryParseJson } from "#kit/errors.ts";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { keyedSha256 } from "#kit/os/hash.ts";
import { packBytes, unpackText } from "./compressed-files.ts";

export function readCacheFile(file: string, bytesMax: number): unknown {
  return tryParseJson(readSmallFile(file, bytesMax)?.toString());
}

function readSmallFile(file: string, bytesMax: number): Buffer | undefined {
  return attempt(() => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= bytesMax ? readFileSync(file) : undefined;
  });
}

export function readQuietly(file: string): Buffer | undefined {
  return attempt(() => readFileSync(file));
}

export function writeCacheFile(file: string, value: object): void {
  writeQuietly(file, JSON.stringify(value));
}

// Never throws: commands can do without the file.
function writeQuietly(file: string, content: string | Uint8Array): void {
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, content, { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    removeQuietly(fresh);
  }
}

export function removeQuietly(file: string): void {
  attempt(() => rmSync(file, { force: true }));
}

type Seal = {
  readonly key: string;
  // Identifies everything that the value depends on.
  readonly variant: string;
};

export const sealBytes = 64;

// Undefined unless this installation wrote the file for the same variant.
export function readSealedFile(file: string, bytesMax: number, seal: Seal): unknown {
  return attempt(() => {
    const bytes = readSmallFile(file, bytesMax);
    const packed = bytes?.subarray(sealBytes);
    if (!packed || bytes?.toString("latin1", 0, sealBytes) !== makeSeal(packed, seal))
      return undefined;
    return tryParseJson(unpackText(packed));
  });
}

export function writeSealedFile(file: string, value: object, seal: Seal): void {
  const packed = packBytes(Buffer.from(JSON.stringify(value)));
  writeQuietly(file, Buffer.concat([Buffer.from(makeSeal(packed, seal)), packed]));
}

function makeSeal(packed: Uint8Array, { key, variant }: Seal): string {
  return keyedSha256(key, `${variant}\n`, packed);
}
