import type { Instant } from "#meter/calls/call.ts";

// Longest time one direction may block the event loop.
export const turnMaxMs = 2;

// Promises alone starve the event loop, so long work checks the clock.
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

// Budgets follow the wall clock, even after the machine slept; durations must not jump with it.
export function now(): Instant {
  return { monoMs: performance.now(), wallMs: Date.now() };
}
