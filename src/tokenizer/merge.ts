import { noRank } from "./layout.ts";
import { MinTree } from "./min-tree.ts";
import { bytePart, PairCache } from "./pair-cache.ts";
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
  /** By offset in the stretch: number of the part that begins there. */
  #parts = new Int32Array(keptBytes);
  readonly #vocabulary: Vocabulary;
  readonly #cache = new PairCache();
  /** Rank of the pair whose first part begins at an offset; `noRank` where no part begins. */
  readonly #pairs = new MinTree();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Merges the bytes [from, to) of `text`, at least one; returns the number of parts left. */
  run(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length >= this.ends.length) this.#makeRoom(length + 1);
    this.#split(text, from, length);
    const pairs = this.#pairs;
    let parts = length;
    for (let first = pairs.find(); first >= 0; first = pairs.find()) {
      parts -= this.#joinRun(text, from, length, first);
    }
    return parts;
  }

  /** Frees large arrays after a long stretch. */
  release(): void {
    this.#pairs.release();
    if (this.ends.length > keptBytes) this.#makeRoom(keptBytes);
  }

  #makeRoom(offsets: number): void {
    this.ends = new Int32Array(offsets);
    this.starts = new Int32Array(offsets);
    this.#parts = new Int32Array(offsets);
  }

  /** Makes every byte a part and ranks every pair. */
  #split({ bytes }: Utf8, from: number, length: number): void {
    const { starts, ends } = this;
    const numbers = this.#parts;
    const pairs = this.#pairs;
    const { bytePairs } = this.#vocabulary;
    pairs.resize(length);
    let byte = bytes[from] as number;
    for (let at = 0; at < length; at++) {
      const next = bytes[from + at + 1] as number;
      ends[at] = at + 1;
      starts[at + 1] = at;
      numbers[at] = bytePart(byte);
      pairs.set(at, bytePairs[byte | (next << 8)] as number);
      byte = next;
    }
    pairs.set(length - 1, noRank);
    pairs.build();
  }

  /**
   * Joins the part at `first` and the one after it, and, as long as the next pair has the same rank, that one
   * too: it is the next to be joined, because a token outranks the two it is made of (see vocabulary.test.ts).
   * The tree is brought up to date once for the whole run. Returns the number of pairs joined.
   */
  #joinRun(text: Utf8, from: number, length: number, first: number): number {
    const { starts, ends } = this;
    const numbers = this.#parts;
    const pairs = this.#pairs;
    const rank = pairs.rankAt(first);
    const changedFrom = first > 0 ? (starts[first] as number) : 0;
    let at = first;
    for (let joined = 1; ; joined++) {
      const second = ends[at] as number;
      const end = ends[second] as number;
      ends[at] = end;
      starts[end] = at;
      numbers[at] = rank;
      pairs.set(second, noRank);
      if (at > 0) this.#rankPair(text, from, starts[at] as number);
      if (end >= length || !pairs.areEqual(at, end)) {
        if (end < length) this.#rankPair(text, from, at);
        else pairs.set(at, noRank);
        pairs.refresh(changedFrom, second);
        return joined;
      }
      at = end;
    }
  }

  /** Ranks the part at `first` and the one after it. */
  #rankPair(text: Utf8, from: number, first: number): void {
    const { ends } = this;
    const numbers = this.#parts;
    const cache = this.#cache;
    const second = ends[first] as number;
    let rank = cache.get(numbers[first] as number, numbers[second] as number);
    if (rank < 0) {
      rank = this.#vocabulary.rank(text, from + first, (ends[second] as number) - first);
      cache.put(rank);
    }
    this.#pairs.set(first, rank);
  }
}
