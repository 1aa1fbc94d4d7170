import { noRank } from "./layout.ts";
import { areInOneBlock, MinTree } from "./min-tree.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Bytes that the arrays have room for between merges. */
const keptBytes = 512;

/**
 * Byte-pair merging of a stretch of bytes: as long as two neighbours form a token, the pair with the lowest
 * rank is joined, the leftmost first. O(n log n) for any input.
 */
export class Merge {
  /** After `run`, by offset in the stretch: end of the part that begins there. */
  ends = new Int32Array(keptBytes);
  /** After `run`, by offset in the stretch: beginning of the part that ends there. */
  starts = new Int32Array(keptBytes);
  readonly #vocabulary: Vocabulary;
  /** Rank of the pair whose first part begins at an offset; `noRank` where no part begins. */
  readonly #pairs = new MinTree();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Merges the bytes [from, to) of `text`, at least one; returns the number of parts left. */
  run(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length >= this.ends.length) {
      this.ends = new Int32Array(length + 1);
      this.starts = new Int32Array(length + 1);
    }
    this.#split(text, from, length);
    const pairs = this.#pairs;
    let parts = length;
    for (let first = pairs.find(); first >= 0; first = pairs.find()) {
      this.#join(text, from, length, first);
      parts--;
    }
    return parts;
  }

  /** Frees large arrays after a long stretch. */
  release(): void {
    this.#pairs.release();
    if (this.ends.length === keptBytes) return;
    this.ends = new Int32Array(keptBytes);
    this.starts = new Int32Array(keptBytes);
  }

  /** Makes every byte a part and ranks every pair. */
  #split({ bytes }: Utf8, from: number, length: number): void {
    const { starts, ends } = this;
    const pairs = this.#pairs;
    const { bytePairs } = this.#vocabulary;
    pairs.resize(length);
    let byte = bytes[from] as number;
    for (let at = 0; at < length; at++) {
      const next = bytes[from + at + 1] as number;
      ends[at] = at + 1;
      starts[at + 1] = at;
      pairs.set(at, bytePairs[byte | (next << 8)] as number);
      byte = next;
    }
    pairs.set(length - 1, noRank);
    pairs.build();
  }

  /** Joins the part at `first` and the one after it. */
  #join(text: Utf8, from: number, length: number, first: number): void {
    const { starts, ends } = this;
    const pairs = this.#pairs;
    const vocabulary = this.#vocabulary;
    const second = ends[first] as number;
    const end = ends[second] as number;
    ends[first] = end;
    starts[end] = first;
    // A neighbour of the same rank is joined next, and this pair is ranked then with the whole of it. It is
    // sure to be next because a token outranks the two it is made of (see vocabulary.test.ts).
    const isLast = end >= length || pairs.areEqual(first, end);
    const after = isLast
      ? noRank
      : vocabulary.rank(text, from + first, (ends[end] as number) - first);
    pairs.set(first, after);
    pairs.set(second, noRank);
    if (first > 0) {
      const before = starts[first] as number;
      pairs.set(before, vocabulary.rank(text, from + before, end - before));
      if (!areInOneBlock(before, first)) pairs.refresh(before);
    }
    pairs.refresh(first);
    if (!areInOneBlock(first, second)) pairs.refresh(second);
  }
}
