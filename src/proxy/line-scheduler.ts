import { turnMaxMs, unprocessedBytesMax } from "#limits.ts";

/**
 * Schedules the processing of lines that were already forwarded, for both directions of a session.
 *
 * Under load the next chunk is always ready, and promises alone never let the event loop turn: the other
 * direction, signals and the writing of records would wait. Long work therefore asks `shouldYield` and awaits
 * `nextTurn`. Without this, the loop turned 26 times during 400 000 messages.
 */
export class LineScheduler {
  #turnStartMs = performance.now();
  #lastTask: Promise<void> | undefined;
  #unprocessedBytes = 0;

  /** True when the current turn of the event loop has lasted long enough. */
  get shouldYield(): boolean {
    return performance.now() - this.#turnStartMs > turnMaxMs;
  }

  /** True while deferred lines are being processed or wait for that. */
  get isBusy(): boolean {
    return this.#lastTask !== undefined;
  }

  /** True when that many forwarded bytes are unprocessed that the traffic must wait. */
  get isBehind(): boolean {
    return this.#unprocessedBytes > unprocessedBytesMax;
  }

  /** Resolves when all lines deferred so far are processed. */
  async idle(): Promise<void> {
    await this.#lastTask;
  }

  /**
   * Runs a task after all tasks that were deferred before it. Both directions share the queue, so an answer
   * is never processed before its question. `forwardedBytes` is the size of the lines that the task processes,
   * 0 when they were not forwarded yet.
   */
  async defer(task: () => Promise<void>, forwardedBytes: number = 0): Promise<void> {
    this.#unprocessedBytes += forwardedBytes;
    const before = this.#lastTask;
    const mine = (async () => {
      await before;
      await task();
    })();
    this.#lastTask = mine;
    try {
      await mine;
    } finally {
      this.#unprocessedBytes -= forwardedBytes;
      if (this.#lastTask === mine) this.#lastTask = undefined;
    }
  }

  /** Resolves in the next turn of the event loop. */
  async nextTurn(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.#turnStartMs = performance.now();
  }
}
