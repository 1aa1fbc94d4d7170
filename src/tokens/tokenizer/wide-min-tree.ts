import { noRank } from "./layout.ts";

const fanOut = 8;

/** Above every index: a key is a rank times this, plus its index. */
const indices = 2 ** 32;
const noKey = noRank * indices;

/** `MinTree` for a row of any length, slower: keys of double precision, on as many levels as needed. */
export class WideMinTree {
  readonly #levels: Float64Array[] = [];
  readonly #keys: Float64Array;

  constructor(size: number) {
    this.#keys = emptyLevel(size);
    let level = this.#keys;
    this.#levels.push(level);
    while (level.length > fanOut) {
      level = emptyLevel(level.length / fanOut);
      this.#levels.push(level);
    }
  }

  set(index: number, rank: number): void {
    this.#keys[index] = rank * indices + index;
  }

  rankAt(index: number): number {
    return Math.floor((this.#keys[index] as number) / indices);
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
      for (let at = first; at <= last; at++) lows[at] = lowestOfBlock(keys, at * fanOut);
      keys = lows;
    }
  }

  find(): number {
    const lowest = lowestOfBlock(this.#levels.at(-1) ?? this.#keys, 0);
    return lowest >= noKey ? -1 : lowest % indices;
  }
}

function emptyLevel(keys: number): Float64Array {
  return new Float64Array(Math.ceil(keys / fanOut) * fanOut).fill(noKey);
}

function lowestOfBlock(keys: Float64Array, from: number): number {
  let lowest = noKey;
  for (let at = from; at < from + fanOut; at++) lowest = Math.min(lowest, keys[at] as number);
  return lowest;
}
