import { statSync } from "node:fs";

// How long traffic may usually wait for the transactions of other meters.
export const storeBusyMaxMs = 1_000;

export const storeCloseBusyMaxMs = 500;

// Much longer than a transaction (0.1 ms), because each attempt takes processor time from the meter that writes.
export const storeRetryPauseMaxMs = 64;

// A commit waits for readers, and all other meters wait for the commit. So its attempts have short pauses.
export const storeCommitPauseMaxMs = 1;

// While others write, or on a busy machine, a meter waits up to this many times longer than usual.
export const storeWaitFactorMax = 8;

// On an idle machine, 60 attempts take 0.9 s. If a meter makes fewer attempts in 1 s, the machine is busy. The lock
// then does not count as stuck yet.
export const storeTriesMin = 60;

// On a busy machine, time alone does not prove a stuck lock: attempts count too.
export class LockWait {
  tries = 0;
  readonly #path: string;
  readonly #busyMaxMs: number;
  readonly #startedMs = performance.now();
  #lastWriteMs = this.#startedMs;
  #triesSinceWrite = 0;
  #mtimeMs: number | undefined;

  constructor(path: string, busyMaxMs: number) {
    this.#path = path;
    this.#busyMaxMs = busyMaxMs;
  }

  // Call this once after each failed attempt.
  isStuck(): boolean {
    const nowMs = performance.now();
    this.tries += 1;
    this.#triesSinceWrite += 1;
    this.#observeWrites(nowMs);
    const longestMs = this.#busyMaxMs * storeWaitFactorMax;
    const triesMin = (storeTriesMin * this.#busyMaxMs) / storeBusyMaxMs;
    const stuckMaxMs = this.#triesSinceWrite < triesMin ? longestMs : this.#busyMaxMs;
    return nowMs - this.#lastWriteMs > stuckMaxMs || nowMs - this.#startedMs > longestMs;
  }

  #observeWrites(nowMs: number): void {
    const mtimeMs = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs !== this.#mtimeMs && this.#mtimeMs !== undefined) {
      this.#lastWriteMs = nowMs;
      this.#triesSinceWrite = 0;
    }
    this.#mtimeMs = mtimeMs;
  }
}
