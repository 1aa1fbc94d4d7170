import { errorCode } from "./error-code.ts";

// Further texts are dropped, and records counted as dropped.
export const stderrQueueBytesMax = 4 * 1024 * 1024;

// As long as a pipe needs to be emptied.
const stderrRetryMaxMs = 20;

// All in all: clients kill us 2 s after their goodbye.
export const stderrFlushMaxMs = 500;

export type WriteNow = (bytes: Uint8Array) => number;

type Waiting = { bytes: Uint8Array; readonly done: (isWritten: boolean) => void };

/** Keeps the order and never waits for the reader. Texts beyond `stderrQueueBytesMax` are dropped. */
export class TextQueue {
  readonly #open: () => WriteNow;
  #writeNow: WriteNow | undefined;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #timer: Timer | undefined;
  #retryMs = 1;
  #flushLeftMs = stderrFlushMaxMs;

  constructor(open: () => WriteNow) {
    this.#open = open;
  }

  /** Takes a text of any length when none waits. */
  write(text: string, done: Waiting["done"] = () => undefined): void {
    const bytes = new TextEncoder().encode(text);
    if (this.#waiting.length > 0 && this.#waitingBytes + bytes.length > stderrQueueBytesMax) {
      done(false);
      return;
    }
    this.#waiting.push({ bytes, done });
    this.#waitingBytes += bytes.length;
    if (this.#timer === undefined) this.#drain();
  }

  /** At most `stderrFlushMaxMs` over all calls. Only for the end of a session: nothing else waits. */
  flush(): void {
    const started = performance.now();
    const mayWait = (): boolean => performance.now() - started < this.#flushLeftMs;
    for (this.#drain(); this.#waiting.length > 0 && mayWait(); this.#drain()) Bun.sleepSync(1);
    this.#flushLeftMs -= performance.now() - started;
  }

  /** The timer tries less often the longer the reader takes nothing. */
  #drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let hasWritten = false;
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const count = this.#writeSome(first.bytes);
      if (count === 0) break;
      hasWritten = true;
      this.#advance(first, count);
    }
    if (this.#waiting.length === 0) return;
    this.#retryMs = hasWritten ? 1 : Math.min(2 * this.#retryMs, stderrRetryMaxMs);
    this.#timer = setTimeout(() => this.#drain(), this.#retryMs);
    this.#timer.unref();
  }

  #writeSome(bytes: Uint8Array): number | undefined {
    try {
      this.#writeNow ??= this.#open();
      return bytes.length === 0 ? undefined : this.#writeNow(bytes);
    } catch (error) {
      return errorCode(error) === "EAGAIN" ? 0 : undefined;
    }
  }

  #advance(first: Waiting, count: number | undefined): void {
    const written = count ?? first.bytes.length;
    this.#waitingBytes -= written;
    first.bytes = first.bytes.subarray(written);
    if (first.bytes.length > 0) return;
    this.#waiting.shift();
    first.done(count !== undefined);
  }
}
