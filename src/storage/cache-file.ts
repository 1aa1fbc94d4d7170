import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The JSON of one of our caches; undefined when it is missing, not JSON or longer than `bytesMax`. */
export function readCacheFile(file: string, bytesMax: number): unknown {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > bytesMax) return undefined;
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Writes a cache whole, for this user only. Never throws: without a cache everything is counted again. */
export function writeCacheFile(file: string, value: object): void {
  // Processes may end at the same time, so each writes a file of its own and moves it into place.
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, JSON.stringify(value), { mode: 0o600, flag: "wx" });
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
