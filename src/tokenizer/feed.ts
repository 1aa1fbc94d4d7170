import { isContinuation, POINT_BYTES_MAX } from "./classes.ts";
import { unitsIn } from "./code-units.ts";
import { PADDING_BYTES, type Utf8 } from "./utf8.ts";

/** Code units, or bytes, of a slice; each needs at most three bytes. */
export const SLICE_UNITS = 16_384;
const UNIT_BYTES_MAX = 3;

/** Bytes of the buffer that holds a slice and what was left of the one before. */
export const BUFFER_BYTES = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A text as UTF-8, of which a slice or two are in memory. Lone surrogates, and bytes that are not
 * UTF-8, become U+FFFD as the encoding standard replaces them. A place is an offset in that UTF-8.
 */
export class Feed implements Utf8 {
  bytes: Uint8Array;
  view: DataView;
  end = 0;
  isFinal = false;
  /** Place of the first byte in memory. */
  base = 0;
  private readonly text: string | Uint8Array;
  /** The slice that is read next, and the places where slices begin, as far as they are known. */
  private next = 0;
  private readonly starts = [0];

  /** Reads `text` into `buffer`, or a buffer of its own, which grows only when more is reached for. */
  constructor(text: string | Uint8Array, buffer?: Uint8Array) {
    this.text = text;
    const needed = text.length * UNIT_BYTES_MAX + PADDING_BYTES;
    this.bytes = buffer ?? new Uint8Array(Math.min(needed, BUFFER_BYTES));
    this.view = new DataView(this.bytes.buffer);
    this.more(0);
  }

  /** Drops the bytes before offset `from`, moves the rest to the front and reads a slice behind it. */
  more(from: number): void {
    const rest = this.end - from;
    const slice = this.slice(this.next);
    this.makeRoom(rest + slice.length * UNIT_BYTES_MAX + PADDING_BYTES, from);
    const { written } = encoder.encodeInto(slice, this.bytes.subarray(rest));
    this.base += from;
    this.end = rest + written;
    this.next++;
    this.starts[this.next] = this.base + this.end;
    this.isFinal = this.sliceStart(this.next) >= this.text.length;
  }

  /** Has the text between two places in memory, as far as there is any. */
  reach(from: number, to: number): void {
    if (from < this.base) {
      this.next = this.sliceAt(from);
      this.base = this.starts[this.next] as number;
      this.end = 0;
      this.more(0);
    }
    while (to > this.base + this.end && !this.isFinal) {
      this.more(Math.min(from - this.base, this.end));
    }
  }

  /** Code units before `place`, of a text that is a string. */
  unitsBefore(place: number): number {
    const slice = this.sliceAt(place);
    const start = this.starts[slice] as number;
    this.reach(start, place);
    const bytes = this.bytes.subarray(start - this.base);
    return this.sliceStart(slice) + unitsIn(bytes, place - start);
  }

  /** The slice that holds a place read before. */
  private sliceAt(place: number): number {
    return this.starts.findLastIndex((start) => start <= place);
  }

  /** Where a slice begins in the text: never within a code point. */
  private sliceStart(slice: number): number {
    const { text } = this;
    const at = slice * SLICE_UNITS;
    if (at === 0 || at >= text.length) return Math.min(at, text.length);
    if (typeof text === "string") return isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
    let start = at;
    while (start > at - POINT_BYTES_MAX && isContinuation(text[start] as number)) start--;
    // After three bytes that continue a code point, a fourth is none's.
    return start > at - POINT_BYTES_MAX ? start : at;
  }

  private slice(slice: number): string {
    const { text } = this;
    const start = this.sliceStart(slice);
    const end = this.sliceStart(slice + 1);
    if (typeof text !== "string") return decoder.decode(text.subarray(start, end));
    return start === 0 && end === text.length ? text : text.slice(start, end);
  }

  private makeRoom(needed: number, from: number): void {
    if (needed <= this.bytes.length) {
      this.bytes.copyWithin(0, from, this.end);
      return;
    }
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(from, this.end));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
