import { garbageBytesMax, lineGarbageBytes } from "#kit/limits/counting.ts";

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
