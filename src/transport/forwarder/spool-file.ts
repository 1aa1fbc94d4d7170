import { type CFunctions, takeAddress } from "#kit/os/pipe.ts";
import { word } from "./shared-memory.ts";

export type SpoolFunctions = Pick<CFunctions, "open" | "unlink" | "pwrite" | "close">;

const openFlags = 0o2 | 0o100 | 0o200 | 0o2_000_000;

const privateMode = 0o600;

/**
 * Two files: while the judge empties one, the other is written. Both are unlinked at once, so nothing is
 * left behind. Unused after a failed write.
 */
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

  swap(): void {
    if (this.#files) this.#files = [this.#files[1], this.#files[0]];
  }

  #open(): void {
    const files = [this.#openUnlinked(), this.#openUnlinked()] as const;
    this.#hasFailed = files.includes(-1);
    if (!this.#hasFailed) this.#files = files;
    else for (const fd of files) if (fd >= 0) this.#c.close(fd);
  }

  #openUnlinked(): number {
    const path = takeAddress(this.#path);
    const fd = this.#c.open(path, openFlags, privateMode);
    if (fd >= 0) this.#c.unlink(path);
    return Math.max(fd, -1);
  }
}

const taken = -1;

// States are even between writes and odd during one. Each write makes a new state, modulo 2^31.
const evenStates = 0x7fff_fffe;

/**
 * Lets the judge take the file to empty it while nothing in it is unread or being written; the writer
 * continues in the other one. Neither thread ever waits.
 */
export class SpoolClaim {
  readonly #words: Int32Array;
  #next = 0;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  begin(): boolean {
    const { spoolState } = word;
    const state = Atomics.load(this.#words, spoolState);
    if (state === taken) return false;
    return Atomics.compareExchange(this.#words, spoolState, state, state | 1) === state;
  }

  end(): void {
    this.#next = (this.#next + 2) & evenStates;
    Atomics.store(this.#words, word.spoolState, this.#next);
  }

  // The judge has the descriptor until it takes the next one. Undefined without a file, and while bytes
  // are unread or being written.
  take(isRead: () => boolean): number | undefined {
    const words = this.#words;
    const state = Atomics.load(words, word.spoolState);
    if (state === taken || (state & 1) === 1 || !isRead()) return undefined;
    const fd = Atomics.load(words, word.spoolFile) - 1;
    if (fd < 0) return undefined;
    // Fails if a write has begun since the state was read.
    const before = Atomics.compareExchange(words, word.spoolState, state, taken);
    return before === state ? fd : undefined;
  }
}
