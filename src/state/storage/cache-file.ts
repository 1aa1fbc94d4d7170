import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function readCacheFile(file: string, bytesMax: number): unknown {
  return jsonIn(readCacheText(file, bytesMax));
}

export function readCacheText(file: string, bytesMax: number): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > bytesMax) return undefined;
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whole, and for this user only. Never throws: without a cache everything is counted again. */
export function writeCacheFile(file: string, value: object): void {
  writeCacheText(file, JSON.stringify(value));
}

export function writeCacheText(file: string, text: string): void {
  // Processes may end at the same time, so each writes a file of its own and moves it into place.
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    // The disk is full or read-only.
    removeQuietly(fresh);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It was never written.
  }
}
