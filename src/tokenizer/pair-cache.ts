import { rankBits } from "./layout.ts";

/** Entries of two words each: the pair, and the rest of the pair below the rank. */
const entryBits = 15;
const entryMask = (1 << entryBits) - 1;

/** Bits of the right token's rank that do not fit next to the left one's into a word. */
const restBits = 2 * rankBits - 32;
const restMask = (1 << restBits) - 1;

/**
 * Ranks of pairs of tokens by the ranks of the two, in a table of fixed size: a new pair replaces an older one with
 * the same hash. Most pairs of a long piece recur, and two numbers are found in half the time of the bytes that they
 * stand for.
 */
export class PairCache {
  /** An empty entry matches no pair: its left one would be `noRank`. */
  readonly #entries = new Int32Array(2 << entryBits).fill(-1);
  #at = 0;
  #pair = 0;
  #rest = 0;

  /** Rank of the pair of tokens `left` and `right`; -1 when it is not cached. */
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

  /** Caches the rank of the pair that `get` was last called for. */
  put(rank: number): void {
    const entries = this.#entries;
    const at = this.#at;
    entries[at] = this.#pair;
    entries[at + 1] = (rank << restBits) | this.#rest;
  }
}
