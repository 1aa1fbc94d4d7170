import { noRank } from "./layout.ts";
import { Merge } from "./merge.ts";
import { cachedPieceBytes, PieceCache } from "./piece-cache.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

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
