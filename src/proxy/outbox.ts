import type { FileSink } from "bun";
import { newline } from "#wire/ascii.ts";

/**
 * The only writer of a pipe: passes their bytes on and puts our own lines between theirs, never inside.
 * Everything returns undefined when the kernel took the bytes at once, else a promise that resolves when
 * it did: that promise is the back-pressure.
 */
export class Outbox {
  readonly #sink: FileSink;
  #waiting: Uint8Array[] = [];
  #atBoundary = true;
  #isBroken = false;

  constructor(sink: FileSink) {
    this.#sink = sink;
  }

  /** True when nobody reads any more: further bytes go nowhere. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Passes bytes on as they are. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    const cut = this.#waiting.length === 0 ? 0 : bytes.indexOf(newline) + 1;
    if (cut > 0) {
      this.#take(bytes.subarray(0, cut));
      this.#takeWaiting();
    }
    if (cut < bytes.length) {
      this.#atBoundary = bytes.at(-1) === newline;
      this.#take(bytes.subarray(cut));
    }
    return this.#flush();
  }

  /** Sends a line of ours, now or after the line that is passing. */
  insert(line: Uint8Array): Promise<void> | undefined {
    this.#waiting.push(line);
    if (this.#atBoundary) this.#takeWaiting();
    return this.#flush();
  }

  /** Sends what waits for the end of a line that will not end any more, and closes the pipe. */
  async end(): Promise<void> {
    if (this.#waiting.length > 0) this.#take(Uint8Array.of(newline));
    this.#takeWaiting();
    await this.#flush();
    try {
      await this.#sink.end();
    } catch {
      this.#isBroken = true;
    }
  }

  #takeWaiting(): void {
    for (const line of this.#waiting) this.#take(line);
    this.#waiting = [];
    this.#atBoundary = true;
  }

  #take(bytes: Uint8Array): void {
    this.#guard(() => this.#sink.write(bytes));
  }

  #flush(): Promise<void> | undefined {
    return this.#guard(() => this.#sink.flush());
  }

  /** A reader that has gone is a fact, not an error; whoever writes asks `isBroken`. */
  #guard(act: () => number | Promise<number>): Promise<void> | undefined {
    if (this.#isBroken) return undefined;
    const broken = (): void => {
      this.#isBroken = true;
    };
    try {
      const done = act();
      if (typeof done === "number") return undefined;
      return Promise.resolve(done).then(() => undefined, broken);
    } catch {
      broken();
      return undefined;
    }
  }
}
