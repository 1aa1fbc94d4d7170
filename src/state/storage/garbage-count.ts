/** Collects garbage after a number of bytes: the runtime lets it grow to several times the memory in use. */
export class GarbageCount {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#bytesMax) return;
    this.#bytes = 0;
    Bun.gc(true);
  }
}
