import { rankBits } from "./layout.ts";

const entryBits = 15;
const entryMask = (1 << entryBits) - 1;

const restBits = 2 * rankBits - 32;
const restMask = (1 << restBits) - 1;

// Most pairs of a long piece recur; finding two ranks takes half as long as finding their bytes.
export class PairCache {
  /** An empty entry matches no pair: its left rank would be `noRank`. */
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

  put(rank: number): void {
    const entries = this.#entries;
    const at = this.#at;
    entries[at] = this.#pair;
    entries[at + 1] = (rank << restBits) | this.#rest;
  }
}
