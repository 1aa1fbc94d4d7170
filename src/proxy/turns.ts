import { unseenBytesMax } from "#limits.ts";

/** Longest time in ms that one direction keeps the loop to itself. */
const turnMaxMs = 2;

/**
 * Turns of the event loop. Under load the next chunk is always there, and promises alone never let the
 * loop turn: the other direction, the records and the signals would wait. Measured without this: 26 turns
 * for 400 000 messages.
 */
export class Turns {
  #beganMs = performance.now();
  #look: Promise<void> | undefined;
  #unseenBytes = 0;

  /** True when the current turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.#beganMs > turnMaxMs;
  }

  /** True while a look at many lines is spread over several turns. */
  get isLooking(): boolean {
    return this.#look !== undefined;
  }

  /** True when so much has passed unseen that the traffic must wait for the looks. */
  get isBehind(): boolean {
    return this.#unseenBytes > unseenBytesMax;
  }

  /** Resolves when everything that passed has been looked at. */
  async caughtUp(): Promise<void> {
    await this.#look;
  }

  /**
   * Looks at lines, over several turns if need be, after every look that began before it: both directions
   * come through here, so no answer is looked at before its question. `bytes` have passed already.
   */
  async look(act: () => Promise<void>, bytes: number = 0): Promise<void> {
    this.#unseenBytes += bytes;
    const before = this.#look;
    const mine = (async () => {
      await before;
      await act();
    })();
    this.#look = mine;
    try {
      await mine;
    } finally {
      this.#unseenBytes -= bytes;
      if (this.#look === mine) this.#look = undefined;
    }
  }

  /** Resolves in the next turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.#beganMs = performance.now();
  }
}
