import { type CFunctions, addressOf } from "#os/c-library.ts";

/** The functions that a spool calls. */
export type SpoolFunctions = Pick<CFunctions, "open" | "unlink" | "pwrite">;

/** `O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC` of Linux. */
const openFlags = 0o2 | 0o100 | 0o200 | 0o2_000_000;

const privateMode = 0o600;

/**
 * The file behind the spool. It is made when it is needed and unlinked at once, so that nothing is left of it
 * in any case. It is not used any more after a write that failed.
 */
export class SpoolFile {
  readonly #c: SpoolFunctions;
  readonly #path: Uint8Array;
  #fd: number | undefined;
  #hasFailed = false;

  /** `path` names a file that does not exist yet. */
  constructor(c: SpoolFunctions, path: string) {
    this.#c = c;
    this.#path = new TextEncoder().encode(`${path}\0`);
  }

  /** False when the file cannot be made or written. */
  get isUsable(): boolean {
    return !this.#hasFailed;
  }

  /** The descriptor of the open file; undefined before the first write and when it cannot be made. */
  get fd(): number | undefined {
    if (this.#fd === undefined && !this.#hasFailed) this.#open();
    return this.#fd;
  }

  /** Writes `size` bytes from an address to an offset; false when the disk did not take all of them. */
  write(address: number, size: number, offset: number): boolean {
    const { fd } = this;
    if (fd === undefined || this.#hasFailed) return false;
    this.#hasFailed = this.#c.pwrite(fd, address, size, offset) !== size;
    return !this.#hasFailed;
  }

  /** Makes a new file when one is needed again: the judge closes the one so far. */
  forget(): void {
    this.#fd = undefined;
  }

  #open(): void {
    const path = addressOf(this.#path);
    const fd = this.#c.open(path, openFlags, privateMode);
    if (fd < 0) {
      this.#hasFailed = true;
      return;
    }
    this.#c.unlink(path);
    this.#fd = fd;
  }
}
