import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";

/** Bytes read back at a time. */
const pieceBytes = 256 * 1024;

/** Takes bytes back in order. */
type Taker = { write(bytes: Uint8Array): Promise<void> | undefined };

/**
 * Holds the one line that is too long for memory until it has been judged: a file without a name, so
 * nothing is left behind whatever happens. What a disk that fails does not take is held in memory: that is
 * dear, but a lost line is worse.
 */
export class OverflowFile {
  readonly #path: () => string;
  #fd: number | undefined;
  #size = 0;
  #rest: Uint8Array[] = [];

  /** `path` names a file that does not exist yet. */
  constructor(path: () => string) {
    this.#path = path;
  }

  append(part: Uint8Array): void {
    const written = this.#rest.length > 0 ? 0 : this.#write(part);
    if (written < part.length) this.#rest.push(part.slice(written));
  }

  /** Hands everything but its first bytes to `taker`, when there is one, and is empty again. */
  async drain(taker: Taker | undefined, skippedBytes: number = 0): Promise<void> {
    const [fd, size, rest] = [this.#fd, this.#size, this.#rest];
    this.#fd = undefined;
    this.#size = 0;
    this.#rest = [];
    if (fd !== undefined) {
      if (taker) await hand(fd, skippedBytes, size, taker);
      closeSync(fd);
    }
    let skipped = Math.max(0, skippedBytes - size);
    for (const part of taker ? rest : []) {
      if (skipped < part.length) await taker?.write(part.subarray(skipped));
      skipped = Math.max(0, skipped - part.length);
    }
  }

  /** Bytes of the part that the file took. */
  #write(part: Uint8Array): number {
    let at = 0;
    try {
      this.#fd ??= this.#open();
      while (at < part.length) {
        const taken = writeSync(this.#fd, part, at, part.length - at, this.#size);
        at += taken;
        this.#size += taken;
      }
    } catch {
      // The disk is full or gone.
    }
    return at;
  }

  #open(): number {
    const path = this.#path();
    const fd = openSync(path, "wx+", 0o600);
    try {
      unlinkSync(path);
    } catch {
      // Windows keeps open files; the name is ours alone and gone with the state directory.
    }
    return fd;
  }
}

async function hand(fd: number, from: number, size: number, taker: Taker): Promise<void> {
  for (let at = from; at < size;) {
    const piece = new Uint8Array(Math.min(pieceBytes, size - at));
    const read = readSync(fd, piece, 0, piece.length, at);
    if (read === 0) return;
    await taker.write(piece.subarray(0, read));
    at += read;
  }
}
