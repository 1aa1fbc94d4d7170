import { attempt } from "#kit/errors.ts";
import {
  accessSync,
  constants,
  mkdirSync,
  closeSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FolderEnv, findStateFolder } from "./folders.ts";

// Each call makes a new path, in the state folder or else in the system's temporary folder.
export type ScratchPaths = {
  readonly overflow: () => string;
  readonly spool: () => string;
};

export function makeScratchPaths(env: FolderEnv): ScratchPaths {
  const state = findStateFolder(env);
  return {
    overflow: () => join(ensureFolder(state) ?? tmpdir(), `.overflow-${crypto.randomUUID()}`),
    spool: () => join(keepIfWritable(state) ?? tmpdir(), `.spool-${crypto.randomUUID()}`),
  };
}

function ensureFolder(folder: string | undefined): string | undefined {
  return attempt(() => {
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return keepIfWritable(folder);
  });
}

function keepIfWritable(folder: string | undefined): string | undefined {
  return attempt(() => {
    if (folder !== undefined) accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
    return folder;
  });
}

const overflowReadBytesMax = 256 * 1024;

type ByteTarget = { write(bytes: Uint8Array): Promise<void> | undefined };

// Bytes that the disk refuses stay in memory, so that no line is lost.
export class OverflowFile {
  readonly #newPath: () => string;
  #fd: number | undefined;
  #size = 0;
  #inMemory: Uint8Array[] = [];

  constructor(newPath: () => string) {
    this.#newPath = newPath;
  }

  append(chunk: Uint8Array): void {
    const written = this.#inMemory.length > 0 ? 0 : this.#write(chunk);
    if (written < chunk.length) this.#inMemory.push(chunk.slice(written));
  }

  async drain(target: ByteTarget | undefined): Promise<void> {
    for (const chunk of this.take(target === undefined)) await target?.write(chunk);
  }

  *take(isDiscarded: boolean = false): Generator<Uint8Array, void, undefined> {
    const [fd, size, inMemory] = [this.#fd, this.#size, this.#inMemory];
    this.#fd = undefined;
    this.#size = 0;
    this.#inMemory = [];
    try {
      if (fd !== undefined && !isDiscarded) yield* readChunks(fd, size);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
    if (!isDiscarded) yield* inMemory;
  }

  #write(chunk: Uint8Array): number {
    let written = 0;
    try {
      this.#fd ??= this.#open();
      while (written < chunk.length) {
        const taken = writeSync(this.#fd, chunk, written, chunk.length - written, this.#size);
        written += taken;
        this.#size += taken;
      }
    } catch {
      // The disk is full or unavailable.
    }
    return written;
  }

  #open(): number {
    const path = this.#newPath();
    const fd = openSync(path, "wx+", 0o600);
    // The system deletes an unlinked file when it is closed. If an open file cannot be unlinked (Windows), it stays.
    attempt(() => unlinkSync(path));
    return fd;
  }
}

function* readChunks(fd: number, end: number): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < end;) {
    const piece = new Uint8Array(Math.min(overflowReadBytesMax, end - at));
    const read = readSync(fd, piece, 0, piece.length, at);
    if (read === 0) return;
    yield piece.subarray(0, read);
    at += read;
  }
}
