import { noRank } from "./vocabulary-layout.ts";

export const rowCapacity = 2560;

const fanOut = 8;
const fanBits = 3;

const indexBits = 13;
const indexMask = (1 << indexBits) - 1;
const noKey = noRank << indexBits;

// Finds the index of the lowest rank in a row of ranks, the leftmost among equals. The high bits of a key are the rank,
// the low bits the index. So a plain minimum, without a branch, yields both. If a row has more than 8 keys, level 1
// holds the lowest of every 8 keys. If level 1 has more than 8 entries, level 2 holds the lowest of every 8 entries. A
// loop over the two levels would slow down merging by a tenth, so each level has separate code.
export class MinTree {
  readonly #keys = new Int32Array(rowCapacity);
  readonly #lows = new Int32Array(rowCapacity / fanOut + rowCapacity / fanOut ** 2);
  #levels = 0;
  #top = this.#keys;
  #topFrom = 0;
  #topTo = 0;

  set(index: number, rank: number): void {
    this.#keys[index] = (rank << indexBits) | index;
  }

  rankAt(index: number): number {
    return (this.#keys[index] as number) >> indexBits;
  }

  build(size: number): void {
    const keys = this.#keys;
    const lows = this.#lows;
    this.#levels = 0;
    this.#top = keys;
    this.#topFrom = 0;
    this.#topTo = size;
    if (size <= fanOut) return;
    this.#levels = 1;
    this.#top = lows;
    const blocks = (this.#topTo = foldRow(keys, size, lows, 0));
    if (blocks <= fanOut) return;
    this.#levels = 2;
    this.#topFrom = (blocks + fanOut - 1) & -fanOut;
    this.#topTo = this.#topFrom + foldRow(lows, blocks, lows, this.#topFrom);
  }

  refresh(from: number, to: number): void {
    const levels = this.#levels;
    if (levels === 0) return;
    const keys = this.#keys;
    const lows = this.#lows;
    const first = from >> fanBits;
    const last = to >> fanBits;
    for (let at = first; at <= last; at++) lows[at] = findLowest(keys, at * fanOut);
    if (levels === 1) return;
    const topFrom = this.#topFrom;
    for (let at = first >> fanBits; at <= last >> fanBits; at++) {
      lows[topFrom + at] = findLowest(lows, at * fanOut);
    }
  }

  find(): number {
    const top = this.#top;
    const to = this.#topTo;
    let lowest = noKey;
    for (let at = this.#topFrom; at < to; at++) lowest = Math.min(lowest, top[at] as number);
    return lowest >= noKey ? -1 : lowest & indexMask;
  }
}

function foldRow(row: Int32Array, size: number, lows: Int32Array, to: number): number {
  const blocks = (size + fanOut - 1) >> fanBits;
  for (let at = size; at < blocks * fanOut; at++) row[at] = noKey;
  for (let at = 0; at < blocks; at++) lows[to + at] = findLowest(row, at * fanOut);
  return blocks;
}

// Without a loop, the processor can compare several keys at once.
function findLowest(row: Int32Array, at: number): number {
  const a = Math.min(row[at] as number, row[at + 1] as number);
  const b = Math.min(row[at + 2] as number, row[at + 3] as number);
  const c = Math.min(row[at + 4] as number, row[at + 5] as number);
  const d = Math.min(row[at + 6] as number, row[at + 7] as number);
  return Math.min(Math.min(a, b), Math.min(c, d));
}

const wideFactor = 2 ** 32;
const noWideKey = noRank * wideFactor;

// Slower than `MinTree`, but for rows of any length: a double can hold a rank and a 32-bit index.
export class WideMinTree {
  readonly #levels: Float64Array[] = [];
  readonly #keys: Float64Array;

  constructor(size: number) {
    this.#keys = makeEmptyLevel(size);
    let level = this.#keys;
    this.#levels.push(level);
    while (level.length > fanOut) {
      level = makeEmptyLevel(level.length / fanOut);
      this.#levels.push(level);
    }
  }

  set(index: number, rank: number): void {
    this.#keys[index] = rank * wideFactor + index;
  }

  rankAt(index: number): number {
    return Math.floor((this.#keys[index] as number) / wideFactor);
  }

  build(size: number): void {
    this.refresh(0, size - 1);
  }

  refresh(from: number, to: number): void {
    const levels = this.#levels;
    let keys = this.#keys;
    let [first, last] = [from, to];
    for (let level = 1; level < levels.length; level++) {
      const lows = levels[level] as Float64Array;
      first = Math.floor(first / fanOut);
      last = Math.floor(last / fanOut);
      for (let at = first; at <= last; at++) lows[at] = findLowestWide(keys, at * fanOut);
      keys = lows;
    }
  }

  find(): number {
    const lowest = findLowestWide(this.#levels.at(-1) ?? this.#keys, 0);
    return lowest >= noWideKey ? -1 : lowest % wideFactor;
  }
}

function makeEmptyLevel(keys: number): Float64Array {
  return new Float64Array(Math.ceil(keys / fanOut) * fanOut).fill(noWideKey);
}

function findLowestWide(keys: Float64Array, from: number): number {
  let lowest = noWideKey;
  for (let at = from; at < from + fanOut; at++) lowest = Math.min(lowest, keys[at] as number);
  return lowest;
}
