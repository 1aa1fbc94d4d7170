import { storeBusyMaxMs } from "../limits.ts";
import { statSync } from "node:fs";

// Waits longer while others write, or while it rarely gets the processor: a hundred may start on two.
export const storeStretchMax = 8;

// Attempts before another meter's transaction counts as too long: they take 0.9 s on an idle machine.
export const storeTriesMin = 60;

export class Queue {
  tries = 0;
  readonly #path: string;
  readonly #busyMaxMs: number;
  readonly #startedMs = performance.now();
  #movedMs = this.#startedMs;
  #triesSince = 0;
  #written: number | undefined;

  constructor(path: string, busyMaxMs: number) {
    this.#path = path;
    this.#busyMaxMs = busyMaxMs;
  }

  isStuck(): boolean {
    const nowMs = performance.now();
    this.tries += 1;
    this.#triesSince += 1;
    this.#look(nowMs);
    const longestMs = this.#busyMaxMs * storeStretchMax;
    const triesMin = (storeTriesMin * this.#busyMaxMs) / storeBusyMaxMs;
    const stuckMaxMs = this.#triesSince < triesMin ? longestMs : this.#busyMaxMs;
    return nowMs - this.#movedMs > stuckMaxMs || nowMs - this.#startedMs > longestMs;
  }

  #look(nowMs: number): void {
    const written = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    if (written !== this.#written && this.#written !== undefined) {
      this.#movedMs = nowMs;
      this.#triesSince = 0;
    }
    this.#written = written;
  }
}
