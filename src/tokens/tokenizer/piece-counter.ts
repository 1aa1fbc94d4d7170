import { noRank, hashEnd, hashWord } from "./layout.ts";
import { Merge } from "./merge.ts";
import { type Utf8, paddingBytes } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

const entryCount = 2048;
const entryWords = 8;

export const cachedPieceBytes = paddingBytes;

/** Fixed size: a new piece replaces an older one with the same hash. */
export class PieceCache {
  readonly #entries = new Int32Array(entryCount * entryWords);
  readonly #key = new Int32Array(cachedPieceBytes / 4);
  #at = 0;

  get(text: Utf8, from: number, length: number): number {
    const entries = this.#entries;
    const key = this.#key;
    let hash = length;
    for (let word = 0; word < 4; word++) {
      const value = keyWord(text.view, from + word * 4, length - word * 4);
      key[word] = value;
      hash = hashWord(hash, value);
    }
    const at = (hashEnd(hash) & (entryCount - 1)) * entryWords;
    this.#at = at;
    const isHit =
      entries[at] === key[0] &&
      entries[at + 1] === key[1] &&
      entries[at + 2] === key[2] &&
      entries[at + 3] === key[3] &&
      entries[at + 4] === length;
    return isHit ? (entries[at + 5] as number) : 0;
  }

  put(length: number, count: number): void {
    const entries = this.#entries;
    const at = this.#at;
    entries.set(this.#key, at);
    entries[at + 4] = length;
    entries[at + 5] = count;
  }
}

function keyWord(view: DataView, at: number, bytes: number): number {
  if (bytes <= 0) return 0;
  const word = view.getInt32(at, true);
  return bytes >= 4 ? word : word & ((1 << (bytes * 8)) - 1);
}

export class PieceCounter {
  readonly merge: Merge;
  readonly #vocabulary: Vocabulary;
  readonly #cache = new PieceCache();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.merge = new Merge(vocabulary);
  }

  count(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length === 1) return 1;
    if (this.#vocabulary.rank(text, from, length) !== noRank) return 1;
    if (length === 2) return 2;
    if (length > cachedPieceBytes) return this.merge.run(text, from, to);
    const cached = this.#cache.get(text, from, length);
    if (cached > 0) return cached;
    const count = this.merge.run(text, from, to);
    this.#cache.put(length, count);
    return count;
  }
}
