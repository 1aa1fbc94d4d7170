import { space } from "#kit/text/ascii.ts";

export const skimTextBytesMax = 512;

const decoder = new TextDecoder();

const plainBytesMax = 64;

const isAscii = (byte: number): boolean => byte < 0x80;

export class Capture {
  #bytes = new Uint8Array(plainBytesMax);
  #length = 0;
  #bytesMax = skimTextBytesMax;
  #isTooLong = false;
  #hasGap = false;

  /** Discards the bytes collected so far; collects at most `bytesMax` from now on. */
  restart(bytesMax: number = skimTextBytesMax): void {
    if (this.#bytes.length > plainBytesMax) this.#bytes = new Uint8Array(plainBytesMax);
    this.#length = 0;
    this.#bytesMax = bytesMax;
    this.#isTooLong = false;
    this.#hasGap = false;
  }

  add(chunk: Uint8Array, from: number, to: number): void {
    if (this.#isTooLong) return;
    this.#closeGap();
    const length = this.#length + to - from;
    if (length > this.#bytesMax) {
      this.#isTooLong = true;
      return;
    }
    this.#makeRoom(length);
    if (to - from > plainBytesMax) this.#bytes.set(chunk.subarray(from, to), this.#length);
    else
      for (let at = from; at < to; at += 1) this.#bytes[this.#length + at - from] = chunk[at] ?? 0;
    this.#length = length;
  }

  /** Adds one byte outside strings. White space counts as at most one byte, so that no amount of it hides a value. */
  addStructure(byte: number): void {
    if (this.#isTooLong) return;
    if (byte <= space) {
      this.#hasGap = true;
      return;
    }
    this.#closeGap();
    if (this.#length >= this.#bytesMax) this.#isTooLong = true;
    else this.#push(byte);
  }

  get text(): string | undefined {
    if (this.#isTooLong) return undefined;
    const bytes = this.#bytes.subarray(0, this.#length);
    // A decoder costs more than all else of a short name.
    const isPlain = bytes.length <= plainBytesMax && bytes.every(isAscii);
    return isPlain ? String.fromCharCode(...bytes) : decoder.decode(bytes);
  }

  #closeGap(): void {
    if (this.#hasGap && this.#length > 0) this.#push(space);
    this.#hasGap = false;
  }

  #push(byte: number): void {
    this.#makeRoom(this.#length + 1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #makeRoom(length: number): void {
    if (length <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * length);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}
