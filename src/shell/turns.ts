/** Longest time in ms that one direction keeps the loop to itself. */
const turnMaxMs = 2;

/**
 * Turns of the event loop. Under load the next chunk is always there, and promises alone never let the
 * loop turn: the other direction, the records and the signals would wait. Measured without this: 26 turns
 * for 400 000 messages.
 */
export class Turns {
  #beganMs = performance.now();

  /** True when the current turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.#beganMs > turnMaxMs;
  }

  /** Resolves in the next turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.#beganMs = performance.now();
  }
}
