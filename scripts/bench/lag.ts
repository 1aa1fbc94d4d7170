import { newline } from "#wire/ascii.ts";
import { CallTail } from "./call-tail.ts";

const pollEveryMs = 2;
const settleMaxMs = 5_000;

/** How long after its answer each call has its record, in a session whose calls are answered one by one and in order. */
export class LagWatch {
  readonly #tail: CallTail;
  readonly #answeredMs: number[] = [];
  readonly #recordedMs: number[] = [];
  readonly #timer: Timer;

  /** Reads the record file at `path` every 2 ms from now on. */
  constructor(path: string) {
    this.#tail = new CallTail(path);
    this.#timer = setInterval(() => this.#poll(), pollEveryMs);
  }

  /** Notes the time of each line that ends in the chunk, which the client has just read. */
  answered(chunk: Uint8Array): void {
    const nowMs = performance.now();
    for (const byte of chunk) if (byte === newline) this.#answeredMs.push(nowMs);
  }

  /** Waits for the last records, for `maxMs` at most. */
  async settle(maxMs = settleMaxMs): Promise<void> {
    const untilMs = performance.now() + maxMs;
    while (this.#recordedMs.length < this.#answeredMs.length && performance.now() < untilMs) {
      await Bun.sleep(pollEveryMs);
    }
  }

  /**
   * Milliseconds from each answer to its record; 0 for a record that came before it, infinite for one that never
   * came. Without the first `skipped` calls.
   */
  lagsMs(skipped: number): readonly number[] {
    return this.#answeredMs
      .map((answeredMs, call) => Math.max(0, (this.#recordedMs[call] ?? Infinity) - answeredMs))
      .slice(skipped);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#tail.close();
  }

  #poll(): void {
    const calls = this.#tail.poll();
    const nowMs = performance.now();
    while (this.#recordedMs.length < calls) this.#recordedMs.push(nowMs);
  }
}
