import { lstatSync } from "node:fs";
import { dashFilesMs } from "../limits.ts";
import { dashRestFactor } from "#kit/limits.ts";
import { importsFolder } from "#state/storage/folders.ts";
import { recordSourcesBelow } from "#state/storage/record-files.ts";
import { dayFolders, recordFilesIn, sessionsFolder } from "#state/storage/live/session-files.ts";

type Stamp = { readonly inode: number; readonly bytes: number; readonly changedMs: number };

/** Finds files that were removed, replaced or cut, and imported logs. Growing files are followed elsewhere. */
export class ReadFiles {
  readonly #folder: string;
  #sessions = new Map<string, Stamp>();
  #imports = "";
  #nextMs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Called before the files are read, so that a change meanwhile is found. */
  keep(): void {
    this.#sessions = this.#sessionStamps();
    this.#imports = this.#importStamps();
  }

  /** Examines the files every few seconds at most. */
  hasChanged(nowMs: number): boolean {
    if (nowMs < this.#nextMs) return false;
    const startedMs = performance.now();
    const now = this.#sessionStamps();
    const hasChanged =
      this.#importStamps() !== this.#imports ||
      [...this.#sessions].some(([path, stamp]) => !isGrown(stamp, now.get(path)));
    if (!hasChanged) this.#sessions = now;
    const tookMs = performance.now() - startedMs;
    this.#nextMs = nowMs + Math.max(dashFilesMs, tookMs * dashRestFactor);
    return hasChanged;
  }

  #sessionStamps(): Map<string, Stamp> {
    const days = dayFolders(sessionsFolder(this.#folder));
    const paths = days.flatMap((day) => recordFilesIn(day));
    return new Map(paths.flatMap((path) => stampOf(path)));
  }

  #importStamps(): string {
    const { sources } = recordSourcesBelow(importsFolder(this.#folder), -Infinity);
    return JSON.stringify(sources.flatMap(({ file }) => stampOf(file)));
  }
}

function isGrown(before: Stamp, now: Stamp | undefined): boolean {
  return now !== undefined && now.inode === before.inode && now.bytes >= before.bytes;
}

function stampOf(path: string): [path: string, stamp: Stamp][] {
  try {
    const { ino: inode, size: bytes, mtimeMs: changedMs } = lstatSync(path);
    return [[path, { inode, bytes, changedMs }]];
  } catch {
    return [];
  }
}
