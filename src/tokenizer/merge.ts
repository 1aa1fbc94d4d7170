import { mergeByHeap } from "./heap.ts";
import { NONE } from "./layout.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Parts looked at per byte before a merge goes on by heap: below it, plain passes are faster. */
const WORK_PER_BYTE_MAX = 40;

/** Parts the arrays keep room for between merges. */
const KEPT_PARTS = 512;

/**
 * Byte-pair merging of one stretch of bytes: again and again the pair of neighbours whose joined bytes
 * have the lowest rank becomes one, the leftmost first. O(n log n) for any input.
 */
export class Merge {
  /** After `run`: where each part begins, and at index `parts` the end. */
  starts = new Int32Array(KEPT_PARTS);
  private ranks = new Int32Array(KEPT_PARTS);
  private readonly vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Merges the bytes [from, to) of `text`, at least one; returns the number of parts left. */
  run(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length >= this.starts.length) {
      this.starts = new Int32Array(length + 1);
      this.ranks = new Int32Array(length + 1);
    }
    this.split(text, from, to);
    let parts = length;
    let work = length * WORK_PER_BYTE_MAX;
    for (;;) {
      const first = this.lowest(parts);
      if (first < 0) return parts;
      work -= parts;
      if (work < 0) return mergeByHeap(text, this.starts, this.ranks, parts, this.vocabulary);
      parts = this.sweep(text, parts, first);
    }
  }

  /** Gives large arrays back after a long stretch. */
  release(): void {
    if (this.starts.length === KEPT_PARTS) return;
    this.starts = new Int32Array(KEPT_PARTS);
    this.ranks = new Int32Array(KEPT_PARTS);
  }

  /** One part a byte, with the rank of each pair. */
  private split({ bytes }: Utf8, from: number, to: number): void {
    const { starts, ranks } = this;
    const { bytePairs } = this.vocabulary;
    let byte = bytes[from] as number;
    for (let part = 0; part < to - from; part++) {
      const next = bytes[from + part + 1] as number;
      starts[part] = from + part;
      ranks[part] = bytePairs[byte | (next << 8)] as number;
      byte = next;
    }
    starts[to - from] = to;
    ranks[to - from - 1] = NONE;
  }

  /** Index of the leftmost pair of lowest rank, -1 when no pair can be merged. */
  private lowest(parts: number): number {
    const { ranks } = this;
    let lowest = NONE;
    let index = -1;
    for (let part = 0; part < parts; part++) {
      if ((ranks[part] as number) < lowest) {
        lowest = ranks[part] as number;
        index = part;
      }
    }
    return index;
  }

  /**
   * Merges every pair that has the rank of pair `first`, left to right, closing the gaps. All at once
   * is right because a token outranks the two it is made of (vocabulary.test.ts proves it for both
   * encodings), so no merge here makes a pair that should have come earlier.
   */
  private sweep(text: Utf8, parts: number, first: number): number {
    const { starts, ranks, vocabulary } = this;
    const rank = ranks[first] as number;
    let kept = first;
    let part = first;
    while (part < parts) {
      const start = starts[part] as number;
      starts[kept] = start;
      if (ranks[part] !== rank) {
        ranks[kept++] = ranks[part++] as number;
        continue;
      }
      part += 2;
      const end = starts[part] as number;
      if (kept > 0) {
        const before = starts[kept - 1] as number;
        ranks[kept - 1] = vocabulary.rank(text, before, end - before);
      }
      // A pair that is merged next gets its rank then, from its right neighbour.
      if (part >= parts) ranks[kept] = NONE;
      else if (ranks[part] !== rank) {
        ranks[kept] = vocabulary.rank(text, start, (starts[part + 1] as number) - start);
      }
      kept++;
    }
    starts[kept] = starts[parts] as number;
    return kept;
  }
}
