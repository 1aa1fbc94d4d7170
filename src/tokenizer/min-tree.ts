import { noRank } from "./layout.ts";

/** Keys of a block, and blocks of a block one level up. */
const fanOut = 8;
const fanBits = 3;

/** Keys that there is room for between uses; `release` frees the rest. */
const keptKeys = 512;

/** Indices that fit into a 31-bit key next to a rank of 18 bits; longer rows have keys of double precision. */
const narrowBits = 13;
/** A shift, because a power is a double to the compiler, and so would every key be: 30 % slower. */
const narrowIndices = 1 << narrowBits;
const wideIndices = 2 ** 32;

/**
 * A row of ranks that finds its lowest, the leftmost of equals. Each rank is stored as a key, the rank
 * above and its index below, so that a plain minimum, which needs no branch, yields both. Up to 8 keys are
 * scanned; beyond that each block of 8 stores its lowest, each 8 blocks theirs, and so on: a change costs
 * O(log n).
 */
export class MinTree {
  #keys: Int32Array | Float64Array = new Int32Array(keptKeys);
  #lows: Int32Array | Float64Array = new Int32Array(keptKeys / 4);
  #indices = narrowIndices;
  #size = 0;
  /** Blocks of the highest level, and where in `#lows` each level begins. */
  #topSize = 0;
  readonly #levelStarts: number[] = [];
  #levels = 0;

  /** Makes room for `size` ranks, to be given with `set` and then ordered by `build`. */
  resize(size: number): void {
    this.#size = size;
    if (size <= this.#keys.length - fanOut) return;
    const isWide = size > narrowIndices;
    const Row = isWide ? Float64Array : Int32Array;
    this.#indices = isWide ? wideIndices : narrowIndices;
    this.#keys = new Row(size + fanOut);
    this.#lows = new Row(Math.ceil(size / 4) + fanOut * 8);
  }

  /** Frees the memory of a long row. */
  release(): void {
    if (this.#keys.length === keptKeys) return;
    this.#indices = narrowIndices;
    this.#keys = new Int32Array(keptKeys);
    this.#lows = new Int32Array(keptKeys / 4);
  }

  /** Stores a rank without restoring the order. */
  set(index: number, rank: number): void {
    this.#keys[index] = rank * this.#indices + index;
  }

  /** Rank at an index. */
  rankAt(index: number): number {
    const key = this.#keys[index] as number;
    const isNarrow = this.#indices === narrowIndices;
    return isNarrow ? key >> narrowBits : Math.floor(key / wideIndices);
  }

  /** True when two indices have the same rank. */
  areEqual(one: number, other: number): boolean {
    return (this.#keys[one] as number) - one === (this.#keys[other] as number) - other;
  }

  /** Orders the whole row. */
  build(): void {
    const lows = this.#lows;
    let row = this.#keys;
    let from = 0;
    let count = this.#size;
    let next = 0;
    this.#levels = 0;
    while (count > fanOut) {
      const blocks = (count + fanOut - 1) >> fanBits;
      row.fill(noRank * this.#indices, from + count, from + blocks * fanOut);
      for (let block = 0; block < blocks; block++) {
        lows[next + block] = lowestOfBlock(row, from + block * fanOut);
      }
      this.#levelStarts[this.#levels++] = next;
      row = lows;
      from = next;
      count = blocks;
      next += (blocks + fanOut - 1) & -fanOut;
    }
    this.#topSize = count;
  }

  /** Restores the order after changes between two indices, both included. */
  refresh(from: number, to: number): void {
    const lows = this.#lows;
    const levels = this.#levels;
    let row = this.#keys;
    let start = 0;
    let first = from;
    let last = to;
    for (let level = 0; level < levels; level++) {
      first >>= fanBits;
      last >>= fanBits;
      const next = this.#levelStarts[level] as number;
      for (let at = first; at <= last; at++) {
        lows[next + at] = lowestOfBlock(row, start + at * fanOut);
      }
      row = lows;
      start = next;
    }
  }

  /** Index of the lowest rank, the leftmost of equals; -1 when all are `noRank`. */
  find(): number {
    const levels = this.#levels;
    const indices = this.#indices;
    const row = levels > 0 ? this.#lows : this.#keys;
    const from = levels > 0 ? (this.#levelStarts[levels - 1] as number) : 0;
    const to = from + this.#topSize;
    let lowest = noRank * indices;
    for (let at = from; at < to; at++) lowest = Math.min(lowest, row[at] as number);
    if (lowest === noRank * indices) return -1;
    return indices === narrowIndices ? lowest & (narrowIndices - 1) : lowest % indices;
  }
}

/** Lowest of the 8 keys from `at`, written out so that the processor can compare several at once. */
function lowestOfBlock(row: Int32Array | Float64Array, at: number): number {
  const a = Math.min(row[at] as number, row[at + 1] as number);
  const b = Math.min(row[at + 2] as number, row[at + 3] as number);
  const c = Math.min(row[at + 4] as number, row[at + 5] as number);
  const d = Math.min(row[at + 6] as number, row[at + 7] as number);
  return Math.min(Math.min(a, b), Math.min(c, d));
}
