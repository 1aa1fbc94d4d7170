import { type CFunctions, addressOf } from "#kit/os/c-library.ts";

export type SpoolFunctions = Pick<CFunctions, "open" | "unlink" | "pwrite" | "close">;

const openFlags = 0o2 | 0o100 | 0o200 | 0o2_000_000;

const privateMode = 0o600;

/** While the judge empties one, the other is written. Unlinked at once, so that nothing is left. Not used any more after a write that failed. */
export class SpoolFile {
  readonly #c: SpoolFunctions;
  readonly #path: Uint8Array;
  #files: readonly [number, number] | undefined;
  #hasFailed = false;

  constructor(c: SpoolFunctions, path: string) {
    this.#c = c;
    this.#path = new TextEncoder().encode(`${path}\0`);
  }

  get isUsable(): boolean {
    return !this.#hasFailed;
  }

  get fd(): number | undefined {
    if (!this.#files && !this.#hasFailed) this.#open();
    return this.#files?.[0];
  }

  write(address: number, size: number, offset: number): boolean {
    const { fd } = this;
    if (fd === undefined || this.#hasFailed) return false;
    this.#hasFailed = this.#c.pwrite(fd, address, size, offset) !== size;
    return !this.#hasFailed;
  }

  turn(): void {
    if (this.#files) this.#files = [this.#files[1], this.#files[0]];
  }

  #open(): void {
    const files = [this.#openOne(), this.#openOne()] as const;
    this.#hasFailed = files.includes(-1);
    if (!this.#hasFailed) this.#files = files;
    else for (const fd of files) if (fd >= 0) this.#c.close(fd);
  }

  #openOne(): number {
    const path = addressOf(this.#path);
    const fd = this.#c.open(path, openFlags, privateMode);
    if (fd >= 0) this.#c.unlink(path);
    return Math.max(fd, -1);
  }
}
