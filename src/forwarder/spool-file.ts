import { type CFunctions, addressOf } from "#os/c-library.ts";

/** The functions that a spool calls. */
export type SpoolFunctions = Pick<CFunctions, "open" | "unlink" | "pwrite" | "close">;

/** `O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC` of Linux. */
const openFlags = 0o2 | 0o100 | 0o200 | 0o2_000_000;

const privateMode = 0o600;

/**
 * The two files behind the spool: while the judge empties one, the other is written. They are made when they are first
 * needed and unlinked at once, so that nothing is left of them in any case. They are not used any more after a write
 * that failed.
 */
export class SpoolFile {
  readonly #c: SpoolFunctions;
  readonly #path: Uint8Array;
  /** The descriptors of the file that is written and of the other one. */
  #files: readonly [number, number] | undefined;
  #hasFailed = false;

  /** `path` names a file that does not exist yet. */
  constructor(c: SpoolFunctions, path: string) {
    this.#c = c;
    this.#path = new TextEncoder().encode(`${path}\0`);
  }

  /** False when the files cannot be made or written. */
  get isUsable(): boolean {
    return !this.#hasFailed;
  }

  /** The descriptor of the file that is written; undefined when it cannot be made. */
  get fd(): number | undefined {
    if (!this.#files && !this.#hasFailed) this.#open();
    return this.#files?.[0];
  }

  /** Writes `size` bytes from an address to an offset; false when the disk did not take all of them. */
  write(address: number, size: number, offset: number): boolean {
    const { fd } = this;
    if (fd === undefined || this.#hasFailed) return false;
    this.#hasFailed = this.#c.pwrite(fd, address, size, offset) !== size;
    return !this.#hasFailed;
  }

  /** Continues in the other file, because the judge empties this one. It has emptied the other one before. */
  turn(): void {
    if (this.#files) this.#files = [this.#files[1], this.#files[0]];
  }

  #open(): void {
    const files = [this.#openOne(), this.#openOne()] as const;
    this.#hasFailed = files.includes(-1);
    if (!this.#hasFailed) this.#files = files;
    else for (const fd of files) if (fd >= 0) this.#c.close(fd);
  }

  /** The descriptor of a new file; -1 when it cannot be made. */
  #openOne(): number {
    const path = addressOf(this.#path);
    const fd = this.#c.open(path, openFlags, privateMode);
    if (fd >= 0) this.#c.unlink(path);
    return Math.max(fd, -1);
  }
}
