// One direction must not keep the event loop longer.
export const turnMaxMs = 2;

// Promises alone never let the event loop turn, so long work reads the clock.
export class Turn {
  readonly #nowMs: () => number;
  #startMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  get isLong(): boolean {
    return this.#nowMs() - this.#startMs > turnMaxMs;
  }

  begin(): void {
    this.#startMs = this.#nowMs();
  }

  async next(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.begin();
  }
}
