import { skimTextBytesMax } from "#limits/lines.ts";
import { space } from "./ascii.ts";

const decoder = new TextDecoder();

/** Collects the bytes of one key or value of a skimmed text, as far as they are few. */
export class Capture {
  #bytes: number[] = [];
  #bytesMax = skimTextBytesMax;
  #isTooLong = false;
  /** True when white space came after the last byte. */
  #hasGap = false;

  /** Discards the bytes collected so far; collects at most `bytesMax` from now on. */
  restart(bytesMax: number = skimTextBytesMax): void {
    this.#bytes = [];
    this.#bytesMax = bytesMax;
    this.#isTooLong = false;
    this.#hasGap = false;
  }

  /** Adds the bytes [from, to) of `chunk` as they are. */
  add(chunk: Uint8Array, from: number, to: number): void {
    if (this.#isTooLong) return;
    this.#closeGap();
    if (this.#bytes.length + to - from > this.#bytesMax) {
      this.#isTooLong = true;
      return;
    }
    for (let at = from; at < to; at += 1) this.#bytes.push(chunk[at] ?? 0);
  }

  /** Adds one byte outside strings. White space counts as at most one byte, so that no amount of it hides a value. */
  addStructure(byte: number): void {
    if (this.#isTooLong) return;
    if (byte <= space) {
      this.#hasGap = true;
      return;
    }
    this.#closeGap();
    if (this.#bytes.length >= this.#bytesMax) this.#isTooLong = true;
    else this.#bytes.push(byte);
  }

  /** The text, without white space around it; undefined when it was too long. */
  get text(): string | undefined {
    return this.#isTooLong ? undefined : decoder.decode(Uint8Array.from(this.#bytes));
  }

  #closeGap(): void {
    if (this.#hasGap && this.#bytes.length > 0) this.#bytes.push(space);
    this.#hasGap = false;
  }
}
