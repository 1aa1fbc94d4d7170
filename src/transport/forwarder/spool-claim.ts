import { word } from "./shared-memory.ts";

const taken = -1;

/** States are even between writes and odd during one; each write makes a new one, modulo 2^31. */
const evenStates = 0x7fff_fffe;

/** The judge may take the file to empty it while nothing in it is unread or being written. The writer continues in the other one. Neither thread ever waits. */
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

  /** The descriptor is the judge's until it takes the next one; undefined without a file, and while it has unread bytes or is being written. */
  take(isRead: () => boolean): number | undefined {
    const words = this.#words;
    const state = Atomics.load(words, word.spoolState);
    if (state === taken || (state & 1) === 1 || !isRead()) return undefined;
    const fd = Atomics.load(words, word.spoolFile) - 1;
    if (fd < 0) return undefined;
    // It fails if a write has begun since the state was read.
    const before = Atomics.compareExchange(words, word.spoolState, state, taken);
    return before === state ? fd : undefined;
  }
}
