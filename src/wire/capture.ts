import { skimTextBytesMax } from "#limits.ts";

const decoder = new TextDecoder();

/** Collects the bytes of one key or value of a skimmed text, as far as they are short. */
export class Capture {
  #bytes: number[] = [];
  #size = 0;

  /** Discards the bytes collected so far. */
  restart(): void {
    this.#bytes = [];
    this.#size = 0;
  }

  /** Adds the bytes [from, to) of `chunk`. */
  add(chunk: Uint8Array, from: number, to: number): void {
    this.#size += to - from;
    if (this.#size > skimTextBytesMax) return;
    for (let at = from; at < to; at += 1) this.#bytes.push(chunk[at] ?? 0);
  }

  /** The text without white space around it; undefined when it was longer than `skimTextBytesMax` bytes. */
  get text(): string | undefined {
    if (this.#size > skimTextBytesMax) return undefined;
    return decoder.decode(Uint8Array.from(this.#bytes)).trim();
  }
}
