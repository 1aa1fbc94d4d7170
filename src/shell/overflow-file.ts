import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";

/** Bytes read back at a time. */
const pieceBytes = 256 * 1024;

/** Takes bytes back in order. */
type Taker = { write(bytes: Uint8Array): Promise<void> | undefined };

/**
 * Holds the one line that is too long for memory until it has been judged: a file without a name, so
 * nothing is left behind whatever happens. When the disk fails, what is lost is said by `isBroken`.
 */
export class OverflowFile {
  readonly #path: () => string;
  #fd: number | undefined;
  #size = 0;
  #isBroken = false;

  /** `path` names a file that does not exist yet. */
  constructor(path: () => string) {
    this.#path = path;
  }

  /** True when bytes could not be kept. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  append(part: Uint8Array): void {
    try {
      this.#fd ??= this.#open();
      for (let at = 0; at < part.length;) at += writeSync(this.#fd, part, at);
      this.#size += part.length;
    } catch {
      this.#isBroken = true;
    }
  }

  /** Hands everything to `taker`, when there is one, and is empty again. */
  async drain(taker: Taker | undefined): Promise<void> {
    const fd = this.#fd;
    const size = this.#size;
    this.#fd = undefined;
    this.#size = 0;
    if (fd === undefined) return;
    if (taker) await hand(fd, size, taker);
    closeSync(fd);
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

async function hand(fd: number, size: number, taker: Taker): Promise<void> {
  for (let at = 0; at < size;) {
    const piece = new Uint8Array(Math.min(pieceBytes, size - at));
    const read = readSync(fd, piece, 0, piece.length, at);
    if (read === 0) return;
    await taker.write(piece.subarray(0, read));
    at += read;
  }
}
