// Collecting takes 5 ms; a line leaves six times its size.
export const garbageBytesMax = 6 * 1024 * 1024;

// Small lines leave more objects: a burst of 150,000 calls would take 170 MB without it.
export const lineGarbageBytes = 768;

/** The runtime counts only objects well: it lets texts and buffers of a flood grow to hundreds of megabytes. */
export class Garbage {
  readonly #collect: () => void;
  #bytes = 0;

  constructor(collect: () => void = () => Bun.gc(true)) {
    this.#collect = collect;
  }

  add(bytes: number): void {
    this.#bytes += bytes + lineGarbageBytes;
  }

  /** Call it where a pause of some milliseconds delays nothing that is ready. */
  collectWhenDue(): void {
    if (this.#bytes <= garbageBytesMax) return;
    this.#bytes = 0;
    this.#collect();
  }
}
