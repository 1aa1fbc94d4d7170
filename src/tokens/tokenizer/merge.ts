import { noRank } from "./layout.ts";
import { MinTree, rowRanks } from "./min-tree.ts";
import { bordering, mayJoin } from "./neighbours.ts";
import { PairCache } from "./pair-cache.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { WideMinTree } from "./wide-min-tree.ts";

/** Joins the pair with the lowest rank, leftmost first, until none is a token. O(n log n). */
export class Merge {
  ends = new Int32Array(rowRanks);
  starts = new Int32Array(rowRanks);
  #ranks = new Int32Array(rowRanks);
  #near = new Int32Array(rowRanks);
  readonly #vocabulary: Vocabulary;
  readonly #cache = new PairCache();
  readonly #row = new MinTree();
  #pairs: MinTree | WideMinTree = this.#row;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  run(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length >= rowRanks) this.#makeRoom(length + 1);
    this.#pairs = length < rowRanks ? this.#row : new WideMinTree(length);
    const parts = this.#split(text, from, length);
    this.#rankPairs(text, from, length);
    return parts - this.#join(text, from, length);
  }

  release(): void {
    this.#pairs = this.#row;
    if (this.ends.length > rowRanks) this.#makeRoom(rowRanks);
  }

  #makeRoom(offsets: number): void {
    if (offsets !== rowRanks && offsets <= this.ends.length) return;
    this.ends = new Int32Array(offsets);
    this.starts = new Int32Array(offsets);
    this.#ranks = new Int32Array(offsets);
    this.#near = new Int32Array(offsets);
  }

  /**
   * Makes every byte a part, or two bytes where they are certainly joined: no token with the bytes at either
   * border has a rank as low, so nothing else can be joined across the borders before. Returns the number of parts.
   */
  #split({ bytes }: Utf8, from: number, length: number): number {
    const { starts, ends } = this;
    const ranks = this.#ranks;
    const near = this.#near;
    const pairs = this.#pairs;
    const { byteRanks, bytePairs, neighbours } = this.#vocabulary;
    let pair = (bytes[from] as number) | ((bytes[from + 1] as number) << 8);
    let left = noRank;
    let parts = 0;
    for (let at = 0; at < length; parts++) {
      const start = at;
      const next = (pair >>> 8) | ((bytes[from + at + 2] as number) << 8);
      let rank = at + 1 < length ? (bytePairs[pair * 2] as number) : noRank;
      const right = at + 2 < length ? (bytePairs[next * 2 + 1] as number) : noRank;
      if (rank < left && rank <= right) {
        pairs.set(at + 1, noRank);
        at += 2;
        // A token of both bytes at the border and one more has another rank: the pair after this may be equal.
        left = right < noRank ? right + 1 : noRank;
        pair = (next >>> 8) | ((bytes[from + at + 1] as number) << 8);
      } else {
        rank = byteRanks[pair & 0xff] as number;
        at += 1;
        left = bytePairs[pair * 2 + 1] as number;
        pair = next;
      }
      ranks[start] = rank;
      near[start] = neighbours[rank] as number;
      ends[start] = at;
      starts[at] = start;
    }
    return parts;
  }

  #rankPairs(text: Utf8, from: number, length: number): void {
    const { ends } = this;
    const near = this.#near;
    const pairs = this.#pairs;
    const { bytes } = text;
    let first = 0;
    for (let second = ends[0] as number; second < length; second = ends[second] as number) {
      const border = bordering(bytes, from + second);
      const isPair = mayJoin(near[first] as number, near[second] as number, border);
      pairs.set(first, isPair ? this.#rank(text, from, first, second) : noRank);
      first = second;
    }
    pairs.set(first, noRank);
    pairs.build(length);
  }

  #join(text: Utf8, from: number, length: number): number {
    const { starts, ends } = this;
    const ranks = this.#ranks;
    const near = this.#near;
    const pairs = this.#pairs;
    const { neighbours } = this.#vocabulary;
    const { bytes } = text;
    let joined = 0;
    for (let first = pairs.find(); first >= 0; first = pairs.find()) {
      const second = ends[first] as number;
      const end = ends[second] as number;
      const rank = pairs.rankAt(first);
      ends[first] = end;
      starts[end] = first;
      ranks[first] = rank;
      const own = (near[first] = neighbours[rank] as number);
      const before = first > 0 ? (starts[first] as number) : first;
      if (first > 0) {
        const isPair = mayJoin(near[before] as number, own, bordering(bytes, from + first));
        pairs.set(before, isPair ? this.#rank(text, from, before, first) : noRank);
      }
      const isPair =
        end < length && mayJoin(own, near[end] as number, bordering(bytes, from + end));
      pairs.set(first, isPair ? this.#rank(text, from, first, end) : noRank);
      pairs.set(second, noRank);
      pairs.refresh(before, second);
      joined++;
    }
    return joined;
  }

  #rank(text: Utf8, from: number, first: number, second: number): number {
    const ranks = this.#ranks;
    const cache = this.#cache;
    const known = cache.get(ranks[first] as number, ranks[second] as number);
    if (known >= 0) return known;
    const length = (this.ends[second] as number) - first;
    const rank = this.#vocabulary.rank(text, from + first, length);
    cache.put(rank);
    return rank;
  }
}
