import { isUtf8 } from "node:buffer";

export const sliceUnits = 16_384;
const unitBytesMax = 3;

export const bufferBytes = 65_536;

export type FeedBuffer = Pick<Utf8, "view"> & { readonly bytes: Uint8Array };

export function makeFeedBuffer(length: number = bufferBytes): FeedBuffer {
  const bytes = new Uint8Array(length);
  return { bytes, view: new DataView(bytes.buffer) };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

// The UTF-8 of a text. Only the slices in use are in the buffer. Invalid bytes become U+FFFD. Positions count bytes
// from the start of the text, offsets from the start of the buffer.
export class Feed implements Utf8 {
  bytes: Uint8Array;
  view: DataView;
  end = 0;
  isFinal = false;
  base = 0; // the position of the first byte in the buffer
  readonly #text: string | Uint8Array;
  #next = 0;
  readonly #starts = [0]; // the position of each slice

  constructor(text: string | Uint8Array, buffer?: FeedBuffer) {
    this.#text = text;
    const needed = text.length * unitBytesMax + paddingBytes;
    const { bytes, view } = buffer ?? makeFeedBuffer(Math.min(needed, bufferBytes));
    this.bytes = bytes;
    this.view = view;
    this.readSlice(0);
  }

  /** Drops the bytes before offset `from`, moves the rest to the front and appends the next slice. */
  readSlice(from: number): void {
    const rest = this.end - from;
    const slice = this.#findSliceText(this.#next);
    this.#makeRoom(rest + slice.length * unitBytesMax + paddingBytes, from);
    const written = this.#write(slice, rest);
    this.base += from;
    this.end = rest + written;
    this.#next++;
    this.#starts[this.#next] = this.base + this.end;
    this.isFinal = this.#findSliceStart(this.#next) >= this.#text.length;
  }

  /** Makes the bytes between two positions available. Reads dropped slices again. */
  load(from: number, to: number): void {
    if (from < this.base) {
      this.#next = this.#findSlice(from);
      this.base = this.#starts[this.#next] as number;
      this.end = 0;
      this.readSlice(0);
    }
    while (to > this.base + this.end && !this.isFinal) {
      this.readSlice(Math.min(from - this.base, this.end));
    }
  }

  #findSlice(position: number): number {
    return this.#starts.findLastIndex((start) => start <= position);
  }

  #findSliceStart(slice: number): number {
    const text = this.#text;
    const at = slice * sliceUnits;
    if (at === 0 || at >= text.length) return Math.min(at, text.length);
    if (typeof text === "string") return isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
    let start = at;
    while (start > at - longestCodePointBytes && isContinuation(text[start] as number)) start--;
    // A fourth consecutive continuation byte belongs to no code point.
    return start > at - longestCodePointBytes ? start : at;
  }

  #findSliceText(slice: number): string | Uint8Array {
    const text = this.#text;
    const start = this.#findSliceStart(slice);
    const end = this.#findSliceStart(slice + 1);
    if (start === 0 && end === text.length) return text;
    return typeof text === "string" ? text.slice(start, end) : text.subarray(start, end);
  }

  #write(slice: string | Uint8Array, at: number): number {
    if (typeof slice !== "string" && isUtf8(slice)) {
      this.bytes.set(slice, at);
      return slice.length;
    }
    const text = typeof slice === "string" ? slice : decoder.decode(slice);
    return encoder.encodeInto(text, at === 0 ? this.bytes : this.bytes.subarray(at)).written;
  }

  #makeRoom(needed: number, from: number): void {
    if (needed <= this.bytes.length) {
      if (this.end > from) this.bytes.copyWithin(0, from, this.end);
      return;
    }
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(from, this.end));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}

export type Utf8 = {
  bytes: Uint8Array;
  view: DataView;
  end: number;
  isFinal: boolean; // no bytes follow after `end`
};

// The tokenizer reads four bytes at a time, so a buffer needs some bytes after the end of the text.
export const paddingBytes = 16;

const longestCodePointBytes = 4;

export function countCodePointBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
