import { NONE } from "./layout.ts";
import { Merge } from "./merge.ts";
import { CACHED_BYTES_MAX, PieceCache } from "./piece-cache.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Counts the tokens of pieces that are short enough to be merged in one go. */
export class PieceCounter {
  readonly merge: Merge;
  private readonly vocabulary: Vocabulary;
  private readonly cache = new PieceCache();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
    this.merge = new Merge(vocabulary);
  }

  /** Tokens of the bytes [from, to): one when they are a token, else what merging leaves. */
  count(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length === 1) return 1;
    if (this.vocabulary.rank(text, from, length) !== NONE) return 1;
    if (length === 2) return 2;
    if (length > CACHED_BYTES_MAX) return this.merge.run(text, from, to);
    const known = this.cache.get(text, from, length);
    if (known > 0) return known;
    const count = this.merge.run(text, from, to);
    this.cache.put(length, count);
    return count;
  }
}
