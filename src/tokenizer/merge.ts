import { NONE } from "./layout.ts";
import { areApart, Lowest } from "./lowest.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Bytes the arrays keep room for between merges. */
const KEPT_BYTES = 512;

/**
 * Byte-pair merging of one stretch of bytes: again and again the pair of neighbours whose joined bytes
 * have the lowest rank becomes one, the leftmost first. O(n log n) for any input.
 */
export class Merge {
  /** After `run`, by offset in the stretch: end of the part that begins there. */
  ends = new Int32Array(KEPT_BYTES);
  /** After `run`, by offset in the stretch: beginning of the part that ends there. */
  starts = new Int32Array(KEPT_BYTES);
  private readonly vocabulary: Vocabulary;
  /** Rank of the pair whose first part begins at an offset; NONE where no part begins. */
  private readonly pairs = new Lowest();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Merges the bytes [from, to) of `text`, at least one; returns the number of parts left. */
  run(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length >= this.ends.length) {
      this.ends = new Int32Array(length + 1);
      this.starts = new Int32Array(length + 1);
    }
    this.split(text, from, length);
    const { pairs } = this;
    let parts = length;
    for (let first = pairs.find(); first >= 0; first = pairs.find()) {
      this.join(text, from, length, first);
      parts--;
    }
    return parts;
  }

  /** Gives large arrays back after a long stretch. */
  release(): void {
    this.pairs.release();
    if (this.ends.length === KEPT_BYTES) return;
    this.ends = new Int32Array(KEPT_BYTES);
    this.starts = new Int32Array(KEPT_BYTES);
  }

  /** One part a byte, with the rank of each pair. */
  private split({ bytes }: Utf8, from: number, length: number): void {
    const { starts, ends, pairs } = this;
    const { bytePairs } = this.vocabulary;
    pairs.resize(length);
    let byte = bytes[from] as number;
    for (let at = 0; at < length; at++) {
      const next = bytes[from + at + 1] as number;
      ends[at] = at + 1;
      starts[at + 1] = at;
      pairs.fill(at, bytePairs[byte | (next << 8)] as number);
      byte = next;
    }
    pairs.fill(length - 1, NONE);
    pairs.build();
  }

  /** Makes one part of the part at `first` and the one after it. */
  private join(text: Utf8, from: number, length: number, first: number): void {
    const { starts, ends, pairs, vocabulary } = this;
    const second = ends[first] as number;
    const end = ends[second] as number;
    ends[first] = end;
    starts[end] = first;
    // A neighbour of the same rank is joined next, and then this pair is ranked with all of it. That
    // it is next is sure because a token outranks the two it is made of (see vocabulary.test.ts).
    const isLast = end >= length || pairs.areEqual(first, end);
    const after = isLast
      ? NONE
      : vocabulary.rank(text, from + first, (ends[end] as number) - first);
    pairs.fill(first, after);
    pairs.fill(second, NONE);
    if (first > 0) {
      const before = starts[first] as number;
      pairs.fill(before, vocabulary.rank(text, from + before, end - before));
      if (areApart(before, first)) pairs.refresh(before);
    }
    pairs.refresh(first);
    if (areApart(first, second)) pairs.refresh(second);
  }
}
