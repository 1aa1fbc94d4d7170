import { NONE } from "./layout.ts";

/** Keys a block has, and blocks a block one level up. */
const FAN_OUT = 16;
const FAN_BITS = 4;

/** Keys there is room for between uses; more is allocated, and given back by `release`. */
const KEPT_KEYS = 512;

/** Places that fit a 31-bit key beside a rank of 18 bits; longer rows have keys of double precision. */
const NARROW_PLACES = 2 ** 13;
const WIDE_PLACES = 2 ** 32;

/**
 * A row of ranks that knows its lowest, leftmost first. Each rank is kept as a key, the rank above
 * and its place below, so that a plain minimum, which needs no branch, answers both. Up to 16 keys are
 * looked through; above that each block of 16 keeps its lowest, each 16 blocks theirs, and so on: a
 * change costs O(log n).
 */
export class Lowest {
  private keys: Int32Array | Float64Array = new Int32Array(KEPT_KEYS);
  private lows: Int32Array | Float64Array = new Int32Array(KEPT_KEYS / 8);
  private places = NARROW_PLACES;
  private size = 0;
  /** Blocks of the highest level, and where in `lows` each level begins. */
  private topSize = 0;
  private readonly levelStarts: number[] = [];
  private levels = 0;

  /** Makes a row of `size` places, to be filled by `fill`, then put in order by `build`. */
  resize(size: number): void {
    this.size = size;
    if (size <= this.keys.length - FAN_OUT) return;
    const isWide = size > NARROW_PLACES;
    const Row = isWide ? Float64Array : Int32Array;
    this.places = isWide ? WIDE_PLACES : NARROW_PLACES;
    this.keys = new Row(size + FAN_OUT);
    this.lows = new Row(Math.ceil(size / 8) + FAN_OUT * 8);
  }

  release(): void {
    if (this.keys.length === KEPT_KEYS) return;
    this.places = NARROW_PLACES;
    this.keys = new Int32Array(KEPT_KEYS);
    this.lows = new Int32Array(KEPT_KEYS / 8);
  }

  /** Sets the rank at a place, without putting the row in order. */
  fill(place: number, rank: number): void {
    this.keys[place] = rank * this.places + place;
  }

  /** Whether two places have the same rank. */
  areEqual(one: number, other: number): boolean {
    return (this.keys[one] as number) - one === (this.keys[other] as number) - other;
  }

  build(): void {
    const { lows } = this;
    let row = this.keys;
    let from = 0;
    let count = this.size;
    let next = 0;
    this.levels = 0;
    while (count > FAN_OUT) {
      const blocks = (count + FAN_OUT - 1) >> FAN_BITS;
      row.fill(NONE * this.places, from + count, from + blocks * FAN_OUT);
      for (let block = 0; block < blocks; block++) {
        lows[next + block] = lowestOf(row, from + block * FAN_OUT);
      }
      this.levelStarts[this.levels++] = next;
      row = lows;
      from = next;
      count = blocks;
      next += (blocks + FAN_OUT - 1) & -FAN_OUT;
    }
    this.topSize = count;
  }

  /** Puts the row in order after changes in the block of `place`. */
  refresh(place: number): void {
    const { lows, levels } = this;
    let row = this.keys;
    let from = 0;
    let at = place;
    for (let level = 0; level < levels; level++) {
      at >>= FAN_BITS;
      const lowest = lowestOf(row, from + at * FAN_OUT);
      row = lows;
      from = this.levelStarts[level] as number;
      row[from + at] = lowest;
    }
  }

  /** Place of the lowest rank, the leftmost of equals; -1 when all are NONE. */
  find(): number {
    const { levels, topSize, places } = this;
    const row = levels > 0 ? this.lows : this.keys;
    const from = levels > 0 ? (this.levelStarts[levels - 1] as number) : 0;
    let lowest = NONE * places;
    for (let at = from; at < from + topSize; at++) lowest = Math.min(lowest, row[at] as number);
    if (lowest === NONE * places) return -1;
    return places === NARROW_PLACES ? lowest & (NARROW_PLACES - 1) : lowest % places;
  }
}

/** Lowest of the 16 keys from `at`, written out so that the processor can look at several at once. */
function lowestOf(row: Int32Array | Float64Array, at: number): number {
  const a = Math.min(row[at] as number, row[at + 1] as number);
  const b = Math.min(row[at + 2] as number, row[at + 3] as number);
  const c = Math.min(row[at + 4] as number, row[at + 5] as number);
  const d = Math.min(row[at + 6] as number, row[at + 7] as number);
  const e = Math.min(row[at + 8] as number, row[at + 9] as number);
  const f = Math.min(row[at + 10] as number, row[at + 11] as number);
  const g = Math.min(row[at + 12] as number, row[at + 13] as number);
  const h = Math.min(row[at + 14] as number, row[at + 15] as number);
  return Math.min(
    Math.min(Math.min(a, b), Math.min(c, d)),
    Math.min(Math.min(e, f), Math.min(g, h)),
  );
}

/** Whether two places lie in different blocks. */
export function areApart(one: number, other: number): boolean {
  return one >> FAN_BITS !== other >> FAN_BITS;
}
