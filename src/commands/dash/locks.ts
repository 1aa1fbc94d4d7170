import { statSync } from "node:fs";
import type { ServerLock } from "#screens/dash/views/locked.ts";
import { UserError } from "#kit/errors.ts";
import { readLockFile } from "#state/storage/lock-file.ts";
import type { Tell } from "#kit/text/teller.ts";
import { commandSentences } from "../sentences.ts";

// Each search reads the status of all files.
export const dashFilesMs = 2_000;

export type NamedLock = { readonly server: string | undefined; readonly file: string };

export class PageLocks {
  readonly #named: readonly NamedLock[];
  readonly #tell: Tell;
  #all: readonly ServerLock[];
  #stamps: string;
  #version = 0;
  #examinedMs = 0;

  constructor(named: readonly NamedLock[], tell: Tell) {
    this.#named = named;
    this.#tell = tell;
    this.#stamps = stampsOf(named);
    this.#all = named.map(readLock);
  }

  get all(): readonly ServerLock[] {
    return this.#all;
  }

  get version(): number {
    return this.#version;
  }

  refresh(nowMs: number): void {
    if (nowMs - this.#examinedMs < dashFilesMs) return;
    this.#examinedMs = nowMs;
    const stamps = stampsOf(this.#named);
    if (stamps === this.#stamps) return;
    this.#stamps = stamps;
    try {
      this.#all = this.#named.map(readLock);
      this.#version += 1;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#tell(error.message);
    }
  }
}

function readLock({ file, server }: NamedLock): ServerLock {
  const lock = readLockFile(file);
  if (!lock) throw new UserError(commandSentences.lockMissing(file));
  return { file, server: server ?? null, lock };
}

function stampsOf(named: readonly NamedLock[]): string {
  return named.map(({ file }) => stampOf(file)).join(" ");
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return "none";
  }
}
