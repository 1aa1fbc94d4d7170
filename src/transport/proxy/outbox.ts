import type { FileSink } from "bun";
import { newline } from "#kit/text/ascii.ts";

/** The only writer of a pipe: puts our lines between forwarded ones. Await its promises. */
export class Outbox {
  readonly #sink: FileSink;
  #pending: Uint8Array[] = [];
  #isBetweenLines = true;
  #isBroken = false;
  #waitingWrites = 0;
  #movedMs = -Infinity;

  constructor(sink: FileSink) {
    this.#sink = sink;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isWaiting(): boolean {
    return this.#waitingWrites > 0;
  }

  get movedMs(): number {
    return this.#movedMs;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    const firstLineEnd = this.#pending.length === 0 ? 0 : bytes.indexOf(newline) + 1;
    if (firstLineEnd > 0) {
      this.#buffer(bytes.subarray(0, firstLineEnd));
      this.#writePending();
    }
    if (firstLineEnd < bytes.length) {
      this.#isBetweenLines = bytes.at(-1) === newline;
      this.#buffer(firstLineEnd === 0 ? bytes : bytes.subarray(firstLineEnd));
    }
    return this.#flush();
  }

  insert(line: Uint8Array): Promise<void> | undefined {
    this.#pending.push(line);
    if (this.#isBetweenLines) this.#writePending();
    return this.#flush();
  }

  // If the last forwarded line is unfinished, our pending lines follow a newline.
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
    this.#waitingWrites += 1;
    await taken;
    this.#waitingWrites -= 1;
    this.#movedMs = performance.now();
  }

  // Writing to a pipe without a reader does not throw; it sets `isBroken`.
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
