import type { FileSink } from "bun";
import { newline } from "#wire/ascii.ts";

/**
 * The only writer of a pipe. Forwards bytes as they are, and inserts lines of our own between their lines,
 * never inside one. Methods return undefined when the kernel took the bytes at once, otherwise a promise that
 * resolves when it has: that promise is the back-pressure.
 */
export class Outbox {
  readonly #sink: FileSink;
  /** Our own lines, which wait for the end of the line that is being forwarded. */
  #pending: Uint8Array[] = [];
  #isBetweenLines = true;
  #isBroken = false;
  #waiting = 0;
  #movedMs = -Infinity;

  constructor(sink: FileSink) {
    this.#sink = sink;
  }

  /** True when the pipe has no reader any more: further bytes are dropped. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** True while bytes wait for the reader. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** When bytes began to wait or were taken last, on the monotonic clock. */
  get movedMs(): number {
    return this.#movedMs;
  }

  /** Forwards bytes as they are. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    const cut = this.#pending.length === 0 ? 0 : bytes.indexOf(newline) + 1;
    if (cut > 0) {
      this.#buffer(bytes.subarray(0, cut));
      this.#writePending();
    }
    if (cut < bytes.length) {
      this.#isBetweenLines = bytes.at(-1) === newline;
      this.#buffer(bytes.subarray(cut));
    }
    return this.#flush();
  }

  /** Sends one of our own lines, at once or after the line that is being forwarded. */
  insert(line: Uint8Array): Promise<void> | undefined {
    this.#pending.push(line);
    if (this.#isBetweenLines) this.#writePending();
    return this.#flush();
  }

  /** Sends the pending lines, after a newline when the last forwarded line lacks one, and closes the pipe. */
  async end(): Promise<void> {
    if (this.#pending.length > 0) this.#buffer(Uint8Array.of(newline));
    this.#writePending();
    await this.#flush();
    try {
      await this.#sink.end();
    } catch {
      this.#isBroken = true;
    }
  }

  #writePending(): void {
    for (const line of this.#pending) this.#buffer(line);
    this.#pending = [];
    this.#isBetweenLines = true;
  }

  #buffer(bytes: Uint8Array): void {
    void this.#guard(() => this.#sink.write(bytes));
  }

  #flush(): Promise<void> | undefined {
    const taken = this.#guard(() => this.#sink.flush());
    this.#movedMs = performance.now();
    return taken && this.#wait(taken);
  }

  async #wait(taken: Promise<void>): Promise<void> {
    this.#waiting += 1;
    await taken;
    this.#waiting -= 1;
    this.#movedMs = performance.now();
  }

  /** A write to a pipe without a reader does not fail; it sets `isBroken`. */
  #guard(act: () => number | Promise<number>): Promise<void> | undefined {
    if (this.#isBroken) return undefined;
    const setBroken = (): void => {
      this.#isBroken = true;
    };
    try {
      const done = act();
      if (typeof done === "number") return undefined;
      return Promise.resolve(done).then(() => undefined, setBroken);
    } catch {
      setBroken();
      return undefined;
    }
  }
}
