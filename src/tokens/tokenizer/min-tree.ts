import { noRank } from "./vocabulary-layout.ts";

export const rowRanks = 2560;

const fanOut = 8;
const fanBits = 3;

const indexBits = 13;
const indexMask = (1 << indexBits) - 1;
const noKey = noRank << indexBits;

// A row of ranks that finds its lowest, leftmost among equals. Each key has the rank above and its index below, so that a
// plain minimum, without a branch, yields both. With more than 8 keys, each block of 8 stores its lowest; with more than 64,
// so does each group of 8 blocks. The levels are unrolled: a loop over them cost a tenth of the time of merging.
export class MinTree {
  readonly #keys = new Int32Array(rowRanks);
  readonly #lows = new Int32Array(rowRanks / fanOut + rowRanks / fanOut ** 2);
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

// Unrolled so that the processor can compare several at once.
function findLowest(row: Int32Array, at: number): number {
  const a = Math.min(row[at] as number, row[at + 1] as number);
  const b = Math.min(row[at + 2] as number, row[at + 3] as number);
  const c = Math.min(row[at + 4] as number, row[at + 5] as number);
  const d = Math.min(row[at + 6] as number, row[at + 7] as number);
  return Math.min(Math.min(a, b), Math.min(c, d));
}
