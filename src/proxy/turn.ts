import { turnMaxMs } from "#limits/forwarding.ts";

/**
 * The current turn of the event loop. Promises alone never let it turn: other input, signals and the writing of
 * records would wait, so long work reads the clock and lets it turn.
 */
export class Turn {
  #startMs = performance.now();

  /** True when the turn has lasted long enough. */
  get isLong(): boolean {
    return performance.now() - this.#startMs > turnMaxMs;
  }

  /** The turn has just begun. */
  begin(): void {
    this.#startMs = performance.now();
  }

  /** Resolves in the next turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.begin();
  }
}
