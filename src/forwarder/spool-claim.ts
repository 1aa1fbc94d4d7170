import { word } from "./shared-memory.ts";

/** The state after the judge has taken the file away. */
const released = -1;

/** States are even between writes and odd during one; each write makes a new one, modulo 2^31. */
const statesMax = 0x7fff_fffe;

/**
 * The agreement of the two threads on the spool's file: the judge may take the file away, and so free its disk, while it
 * is empty and not being written. Neither thread ever waits for the other.
 */
export class SpoolClaim {
  readonly #words: Int32Array;
  /** The state that the next write leaves. */
  #next = 0;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  /** The writer begins a write. False when the file that it wrote so far was taken away. */
  begin(): boolean {
    const { spoolState } = word;
    const state = Atomics.load(this.#words, spoolState);
    if (state === released) return false;
    return Atomics.compareExchange(this.#words, spoolState, state, state | 1) === state;
  }

  /** The writer has ended its write. */
  end(): void {
    this.#next = (this.#next + 2) & statesMax;
    Atomics.store(this.#words, word.spoolState, this.#next);
  }

  /**
   * The judge takes the file away: returns the descriptor that it has to close. Undefined when there is none, it is not
   * empty, or it is being written.
   */
  release(isEmpty: () => boolean): number | undefined {
    const words = this.#words;
    const state = Atomics.load(words, word.spoolState);
    if (state === released || (state & 1) === 1 || !isEmpty()) return undefined;
    const fd = Atomics.load(words, word.spoolFile) - 1;
    if (fd < 0) return undefined;
    // It fails if a write has begun since the state was read.
    const before = Atomics.compareExchange(words, word.spoolState, state, released);
    return before === state ? fd : undefined;
  }
}
