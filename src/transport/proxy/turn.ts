import type { Instant } from "#meter/calls/call.ts";

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

/** Budgets follow the wall clock, also after a night asleep; durations must not jump with it. */
export function now(): Instant {
  return { monoMs: performance.now(), wallMs: Date.now() };
}
