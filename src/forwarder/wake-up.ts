import { judgeDelayMs, promptDelayMs, promptPeriodMs, promptWakesMax } from "#limits.ts";
import { word } from "./shared-memory.ts";

/**
 * When the judge is woken. After an answer it is woken at once, so that a client which kills us next has lost nothing. While
 * messages keep coming it is woken from time to time: it then takes many at once, and leaves the processors to the traffic.
 */
export class WakeUp {
  readonly #words: Int32Array;
  readonly #wake: () => void;
  #dueMs = Infinity;
  /** The time to which the prompt wakes so far would have lasted, a period each. */
  #spentMs = -Infinity;

  constructor(words: Int32Array, wake: () => void) {
    this.#words = words;
    this.#wake = wake;
  }

  /** Something was published; an answer may be the last one. */
  published(mayBeAnswer: boolean, nowMs: number): void {
    const isPrompt = mayBeAnswer && this.#spentMs - nowMs < (promptWakesMax - 1) * promptPeriodMs;
    const dueMs = nowMs + (isPrompt ? promptDelayMs : judgeDelayMs);
    if (dueMs >= this.#dueMs || Atomics.load(this.#words, word.isAsleep) === 0) return;
    this.#dueMs = dueMs;
    if (isPrompt) this.#spentMs = Math.max(this.#spentMs, nowMs) + promptPeriodMs;
  }

  /** Whole milliseconds until the judge is to be woken; -1 when it is not. */
  timeoutMs(nowMs: number): number {
    return this.#dueMs === Infinity ? -1 : Math.max(0, Math.ceil(this.#dueMs - nowMs));
  }

  /** Wakes the judge when it is time to. */
  wakeIfDue(nowMs: number): void {
    if (nowMs >= this.#dueMs) this.wakeNow();
  }

  /** Wakes the judge, if it is not awake. */
  wakeNow(): void {
    this.#dueMs = Infinity;
    if (Atomics.compareExchange(this.#words, word.isAsleep, 1, 0) === 1) this.#wake();
  }
}
