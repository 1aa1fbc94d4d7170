import { PADDING_BYTES, type Utf8 } from "./utf8.ts";

/** Code units encoded at a time; each needs at most three bytes. */
const SLICE_UNITS = 16_384;
const UNIT_BYTES_MAX = 3;

/** Bytes of the buffer that holds a slice and what was left of the one before. */
export const BUFFER_BYTES = 65_536;

const encoder = new TextEncoder();

/**
 * A text as UTF-8, a bounded slice at a time. Lone surrogates, and bytes that are not UTF-8, become
 * U+FFFD as the encoding standard replaces them.
 */
export class Feed implements Utf8 {
  bytes: Uint8Array;
  view: DataView;
  end = 0;
  isFinal = false;
  private at = 0;
  private readonly text: string | Uint8Array;
  private readonly decoder: TextDecoder | undefined;

  /** Reads `text` into `buffer`, or a buffer of its own, which grows only for a piece larger than it. */
  constructor(text: string | Uint8Array, buffer?: Uint8Array) {
    this.text = text;
    const needed = text.length * UNIT_BYTES_MAX + PADDING_BYTES;
    this.bytes = buffer ?? new Uint8Array(Math.min(needed, BUFFER_BYTES));
    this.view = new DataView(this.bytes.buffer);
    this.decoder =
      typeof text === "string" ? undefined : new TextDecoder("utf-8", { ignoreBOM: true });
    this.more(0);
  }

  /** Drops the bytes before `from`, moves the rest to the front and reads on behind it. */
  more(from: number): void {
    const rest = this.end - from;
    // A piece that fills all memory is scanned from its beginning again: the amount at least doubles.
    const slice = this.slice(Math.max(SLICE_UNITS, rest));
    this.makeRoom(rest + slice.length * UNIT_BYTES_MAX + PADDING_BYTES, from);
    const { written } = encoder.encodeInto(slice, this.bytes.subarray(rest));
    this.end = rest + written;
    this.isFinal = this.at >= this.text.length;
  }

  private slice(units: number): string {
    const { text, at } = this;
    let end = Math.min(at + units, text.length);
    if (typeof text !== "string") {
      this.at = end;
      const stream = end < text.length;
      return this.decoder?.decode(text.subarray(at, end), { stream }) ?? "";
    }
    // A pair of surrogates stays together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    this.at = end;
    return at === 0 && end === text.length ? text : text.slice(at, end);
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
