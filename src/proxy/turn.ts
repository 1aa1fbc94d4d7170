import { turnMaxMs } from "#limits/forwarding.ts";

/**
 * The current turn of the event loop. Promises alone never let it turn: other input, signals and the writing of
 * records would wait, so long work reads the clock and lets it turn.
 */
export class Turn {
  readonly #nowMs: () => number;
  #startMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  /** True when the turn has lasted long enough. */
  get isLong(): boolean {
    return this.#nowMs() - this.#startMs > turnMaxMs;
  }

  /** The turn has just begun. */
  begin(): void {
    this.#startMs = this.#nowMs();
  }

  /** Resolves in the next turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.begin();
  }
}
