import { word } from "./shared-memory.ts";

// While messages keep coming, the judge waits and takes many at once.
export const judgeDelayMs = 35;

// A client may kill 5 ms after its last answer.
export const promptDelayMs = 1;

// As many as checkpoints follow each other.
export const promptWakesMax = 16;

export const promptPeriodMs = 100;

/**
 * Wakes the judge at once after an answer that nothing follows, so that a client which kills us next has lost
 * nothing. While messages keep coming it is woken from time to time: it then takes many at once, and leaves the
 * processors to the traffic.
 */
export class WakeUp {
  readonly #words: Int32Array;
  readonly #wake: () => void;
  #latestMs = Infinity;
  #promptMs = Infinity;
  /** The time to which the prompt wakes so far would have lasted, a period each. */
  #spentMs = -Infinity;
  #answeredMs = -Infinity;

  constructor(words: Int32Array, wake: () => void) {
    this.#words = words;
    this.#wake = wake;
  }

  published(mayBeAnswer: boolean, nowMs: number): void {
    if (mayBeAnswer) this.#answered(nowMs);
    if (Atomics.load(this.#words, word.isAsleep) === 0) return;
    this.#latestMs = Math.min(this.#latestMs, nowMs + judgeDelayMs);
    const isPrompt = mayBeAnswer && this.#spentMs - nowMs < promptWakesMax * promptPeriodMs;
    if (isPrompt || this.#promptMs !== Infinity) this.#promptMs = nowMs + promptDelayMs;
  }

  timeoutMs(nowMs: number): number {
    const dueMs = Math.min(this.#promptMs, this.#latestMs);
    return dueMs === Infinity ? -1 : Math.max(0, Math.ceil(dueMs - nowMs));
  }

  /** While answers come faster than that, time gives no new prompt wakes: each costs as much as a batch. */
  #answered(nowMs: number): void {
    const sinceMs = nowMs - this.#answeredMs;
    if (sinceMs < promptPeriodMs) this.#spentMs += sinceMs;
    this.#answeredMs = nowMs;
  }

  wakeIfDue(nowMs: number): void {
    const isPrompt = nowMs >= this.#promptMs;
    if (isPrompt) this.#spentMs = Math.max(this.#spentMs, nowMs) + promptPeriodMs;
    if (isPrompt || nowMs >= this.#latestMs) this.wakeNow();
  }

  wakeNow(): void {
    this.#latestMs = Infinity;
    this.#promptMs = Infinity;
    if (Atomics.compareExchange(this.#words, word.isAsleep, 1, 0) === 1) this.#wake();
  }
}
