import { skimTextBytesMax } from "#limits/lines.ts";
import { space } from "./ascii.ts";

const decoder = new TextDecoder();

/** Bytes up to which a text is made of its codes. */
const plainBytesMax = 64;

const isAscii = (byte: number): boolean => byte < 0x80;

export class Capture {
  #bytes: number[] = [];
  #bytesMax = skimTextBytesMax;
  #isTooLong = false;
  #hasGap = false;

  /** Discards the bytes collected so far; collects at most `bytesMax` from now on. */
  restart(bytesMax: number = skimTextBytesMax): void {
    this.#bytes = [];
    this.#bytesMax = bytesMax;
    this.#isTooLong = false;
    this.#hasGap = false;
  }

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

  get text(): string | undefined {
    if (this.#isTooLong) return undefined;
    const isPlain = this.#bytes.length <= plainBytesMax && this.#bytes.every(isAscii);
    // A decoder costs more than all else of a short name.
    return isPlain
      ? String.fromCharCode(...this.#bytes)
      : decoder.decode(Uint8Array.from(this.#bytes));
  }

  #closeGap(): void {
    if (this.#hasGap && this.#bytes.length > 0) this.#bytes.push(space);
    this.#hasGap = false;
  }
}
