/** The bytes of one direction so far, and a way to wait for some of them. */
export class Stream {
  #parts: Uint8Array[] = [];
  #length = 0;
  #waiting: (() => void)[] = [];
  #isEnded = false;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True between two lines. */
  get isAtBoundary(): boolean {
    const last = this.#parts.at(-1);
    return last === undefined || last.at(-1) === 0x0a;
  }

  /** Everything so far, in one buffer. */
  get bytes(): Buffer {
    const [only] = this.#parts;
    const whole =
      this.#parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(this.#parts);
    this.#parts = whole.length === 0 ? [] : [whole];
    return whole;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#parts.push(chunk);
    this.#length += chunk.length;
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** True when the text has arrived. */
  includes(text: string): boolean {
    return this.bytes.includes(text);
  }

  /** Resolves to true when `text` has arrived at or after `from`, to false when it can no longer arrive. */
  async until(text: string, from: number): Promise<boolean> {
    for (;;) {
      if (this.bytes.includes(text, from)) return true;
      if (this.#isEnded) return false;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Resolves when the stream has ended. */
  async ended(): Promise<void> {
    while (!this.#isEnded) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
