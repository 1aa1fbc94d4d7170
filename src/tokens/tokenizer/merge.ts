import { noRank, rankBits } from "./vocabulary-layout.ts";
import { MinTree, rowCapacity, WideMinTree } from "./min-tree.ts";
import type { Utf8 } from "./feed.ts";
import type { Vocabulary } from "./vocabulary.ts";

const entryBits = 15;
const entryMask = (1 << entryBits) - 1;

// An entry has two words. The two ranks of a pair take 36 bits: the whole first word and the low bits of the second.
// The high bits of the second word hold the rank of the joined token.
const restBits = 2 * rankBits - 32;
const restMask = (1 << restBits) - 1;

// Most pairs in a long piece recur. Finding a pair by its two ranks takes half as long as finding it by its bytes.
export class PairCache {
  // Empty entries match no pair, because their left rank is `noRank`.
  readonly #entries = new Int32Array(2 << entryBits).fill(-1);
  #at = 0;
  #pair = 0;
  #rest = 0;

  get(left: number, right: number): number {
    const entries = this.#entries;
    const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77);
    const at = ((hash ^ (hash >>> 15)) & entryMask) * 2;
    const pair = left | (right << rankBits);
    const rest = right >>> (32 - rankBits);
    const entry = entries[at + 1] as number;
    if (entries[at] === pair && (entry & restMask) === rest) return entry >>> restBits;
    this.#at = at;
    this.#pair = pair;
    this.#rest = rest;
    return -1;
  }

  fillLastMiss(rank: number): void {
    const entries = this.#entries;
    const at = this.#at;
    entries[at] = this.#pair;
    entries[at + 1] = (rank << restBits) | this.#rest;
  }
}

// Joins the pair with the lowest rank, leftmost first, until no pair is a token. O(n log n).
export class Merge {
  // `ends[start]` is the end of the token that begins at `start`; `starts[end]` is the beginning of the token that ends
  // at `end`. All offsets are relative to the parameter `from` of `run`.
  ends = new Int32Array(rowCapacity);
  starts = new Int32Array(rowCapacity);
  #ranks = new Int32Array(rowCapacity);
  #neighbourBits = new Int32Array(rowCapacity);
  readonly #vocabulary: Vocabulary;
  readonly #cache = new PairCache();
  readonly #smallTree = new MinTree();
  #pairs: MinTree | WideMinTree = this.#smallTree;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  // Fills `starts` and `ends`, and returns the number of tokens.
  run(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length >= this.ends.length) this.#allocate(length + 1);
    this.#pairs = length < rowCapacity ? this.#smallTree : new WideMinTree(length);
    const tokens = this.#split(text, from, length);
    this.#rankPairs(text, from, length);
    return tokens - this.#join(text, from, length);
  }

  release(): void {
    this.#pairs = this.#smallTree;
    if (this.ends.length > rowCapacity) this.#allocate(rowCapacity);
  }

  #allocate(offsets: number): void {
    this.ends = new Int32Array(offsets);
    this.starts = new Int32Array(offsets);
    this.#ranks = new Int32Array(offsets);
    this.#neighbourBits = new Int32Array(offsets);
  }

  // Splits into bytes. A pair of bytes is merged right away if it is a token and no overlapping token can merge first.
  // An overlapping token spans the left or right border of the pair.
  #split({ bytes }: Utf8, from: number, length: number): number {
    const { starts, ends } = this;
    const ranks = this.#ranks;
    const neighbourBits = this.#neighbourBits;
    const pairs = this.#pairs;
    const { byteRanks, bytePairs, neighbours } = this.#vocabulary;
    let pair = (bytes[from] as number) | ((bytes[from + 1] as number) << 8);
    let leftBorderRank = noRank;
    let tokens = 0;
    for (let at = 0; at < length; tokens++) {
      const start = at;
      const next = (pair >>> 8) | ((bytes[from + at + 2] as number) << 8);
      let rank = at + 1 < length ? (bytePairs[pair * 2] as number) : noRank;
      const rightBorderRank = at + 2 < length ? (bytePairs[next * 2 + 1] as number) : noRank;
      if (rank < leftBorderRank && rank <= rightBorderRank) {
        pairs.set(at + 1, noRank);
        at += 2;
        // `+ 1` permits a tie of ranks: in `aaaa`, merging the first `aa` breaks up the middle `aa`, so the last `aa`
        // can merge as well.
        leftBorderRank = rightBorderRank < noRank ? rightBorderRank + 1 : noRank;
        pair = (next >>> 8) | ((bytes[from + at + 1] as number) << 8);
      } else {
        rank = byteRanks[pair & 0xff] as number;
        at += 1;
        leftBorderRank = bytePairs[pair * 2 + 1] as number;
        pair = next;
      }
      ranks[start] = rank;
      neighbourBits[start] = neighbours[rank] as number;
      ends[start] = at;
      starts[at] = start;
    }
    return tokens;
  }

  #rankPairs(text: Utf8, from: number, length: number): void {
    const { ends } = this;
    const neighbourBits = this.#neighbourBits;
    const pairs = this.#pairs;
    const { bytes } = text;
    let first = 0;
    for (let second = ends[0] as number; second < length; second = ends[second] as number) {
      const border = packBorder(bytes, from + second);
      const isPair = mayJoin(
        neighbourBits[first] as number,
        neighbourBits[second] as number,
        border,
      );
      pairs.set(first, isPair ? this.#findPairRank(text, from, first, second) : noRank);
      first = second;
    }
    pairs.set(first, noRank);
    pairs.build(length);
  }

  #join(text: Utf8, from: number, length: number): number {
    const { starts, ends } = this;
    const ranks = this.#ranks;
    const neighbourBits = this.#neighbourBits;
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
      const joinedBits = (neighbourBits[first] = neighbours[rank] as number);
      const before = first > 0 ? (starts[first] as number) : first;
      if (first > 0) {
        const isPair = mayJoin(
          neighbourBits[before] as number,
          joinedBits,
          packBorder(bytes, from + first),
        );
        pairs.set(before, isPair ? this.#findPairRank(text, from, before, first) : noRank);
      }
      const isPair =
        end < length &&
        mayJoin(joinedBits, neighbourBits[end] as number, packBorder(bytes, from + end));
      pairs.set(first, isPair ? this.#findPairRank(text, from, first, end) : noRank);
      pairs.set(second, noRank);
      pairs.refresh(before, second);
      joined++;
    }
    return joined;
  }

  #findPairRank(text: Utf8, from: number, first: number, second: number): number {
    const ranks = this.#ranks;
    const cache = this.#cache;
    const known = cache.get(ranks[first] as number, ranks[second] as number);
    if (known >= 0) return known;
    const length = (this.ends[second] as number) - first;
    const rank = this.#vocabulary.findRank(text, from + first, length);
    cache.fillLastMiss(rank);
    return rank;
  }
}

// The functions below make and test the bits of `neighbours` in a packed vocabulary (vocabulary-layout.ts). By these
// bits, most pairs that form no token are rejected without a lookup.

export function makeFollowerBit(byte: number): number {
  return 1 << (byte & 15);
}

export function makeLeaderBit(byte: number): number {
  return 1 << (byte | 16);
}

export function packBorder(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 1] as number) << 8) | (bytes[at] as number);
}

// If false, the two tokens cannot form a longer token.
export function mayJoin(leftBits: number, rightBits: number, border: number): boolean {
  return ((leftBits >>> (border & 15)) & (rightBits >>> ((border >>> 8) | 16)) & 1) !== 0;
}
