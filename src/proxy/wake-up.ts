import { judgeDelayMs } from "#limits.ts";
import { word } from "./shared-memory.ts";

/**
 * When the judge is woken: some time after the first record that it has not taken, so that it takes many at once and
 * does not compete with the traffic for a processor.
 */
export class WakeUp {
  readonly #words: Int32Array;
  readonly #wake: () => void;
  #dueMs: number | undefined;

  constructor(words: Int32Array, wake: () => void) {
    this.#words = words;
    this.#wake = wake;
  }

  /** Something was published. */
  published(nowMs: number): void {
    if (this.#dueMs === undefined && Atomics.load(this.#words, word.isAsleep) === 1) {
      this.#dueMs = nowMs + judgeDelayMs;
    }
  }

  /** Whole milliseconds until the judge is to be woken; -1 when it is not. */
  timeoutMs(nowMs: number): number {
    return this.#dueMs === undefined ? -1 : Math.max(0, Math.ceil(this.#dueMs - nowMs));
  }

  /** Wakes the judge when it is time to. */
  wakeIfDue(nowMs: number): void {
    if (this.#dueMs !== undefined && nowMs >= this.#dueMs) this.wakeNow();
  }

  /** Wakes the judge, if it is not awake. */
  wakeNow(): void {
    this.#dueMs = undefined;
    if (Atomics.compareExchange(this.#words, word.isAsleep, 1, 0) === 1) this.#wake();
  }
}
