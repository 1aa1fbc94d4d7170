import { garbageBytesMax, lineGarbageBytes } from "#limits/counting.ts";

/**
 * Has the garbage of counted lines collected. The runtime counts only objects well: it lets the texts and
 * buffers of a flood grow to hundreds of megabytes before it collects them by itself.
 */
export class Garbage {
  readonly #collect: () => void;
  #bytes = 0;

  /** `collect` takes some milliseconds, however much there is. */
  constructor(collect: () => void = () => Bun.gc(true)) {
    this.#collect = collect;
  }

  /** Lines of that size were processed and counted. The runtime itself collects the garbage of others in time. */
  add(bytes: number): void {
    this.#bytes += bytes + lineGarbageBytes;
  }

  /** Collects when it is time to. Call it where a pause of some milliseconds delays nothing that is ready. */
  collectWhenDue(): void {
    if (this.#bytes <= garbageBytesMax) return;
    this.#bytes = 0;
    this.#collect();
  }
}
