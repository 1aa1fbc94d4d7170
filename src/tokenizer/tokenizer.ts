import { pieceEndCl100k } from "./cl100k.ts";
import { cutWithin } from "./cut.ts";
import type { Engine, PieceEnd } from "./engine.ts";
import { Feed, type FeedBuffer, feedBuffer } from "./feed.ts";
import { pieceEndO200k } from "./o200k.ts";
import { PieceCounter } from "./piece-counter.ts";
import { TextCount } from "./text-count.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A public vocabulary by name. */
export type Encoding = "o200k_base" | "cl100k_base";

/** A count in progress. `advance` does about `workMax` bytes of work and returns true once `tokens` is complete. */
export type Counting = {
  advance(workMax: number): boolean;
  readonly tokens: number;
};

const pieceEnds: Record<Encoding, PieceEnd> = {
  o200k_base: pieceEndO200k,
  cl100k_base: pieceEndCl100k,
};

/**
 * Counts tokens as tiktoken's `encode_ordinary` would produce them: text that looks like a special token is
 * ordinary text, lone surrogates are U+FFFD. Takes O(n log n) time for any text.
 */
export class Tokenizer {
  readonly #engine: Engine;
  #buffer: FeedBuffer | undefined;

  /** `file` is the packed vocabulary of `encoding` (scripts/vocabulary.ts); it is viewed, not copied. */
  constructor(encoding: Encoding, file: ArrayBuffer) {
    const vocabulary = new Vocabulary(file);
    const pieces = new PieceCounter(vocabulary);
    this.#engine = { vocabulary, pieceEnd: pieceEnds[encoding], pieces };
  }

  /** Tokens of `text`. */
  count(text: string): number {
    return this.#count(text, Infinity);
  }

  /** Tokens of a text in UTF-8; bytes that are not UTF-8 count as the U+FFFD that replaces them. */
  countBytes(utf8: Uint8Array): number {
    return this.#count(utf8, Infinity);
  }

  /** Tokens of `text` when they are at most `limit`, else undefined; reads little beyond the limit. */
  within(text: string, limit: number): number | undefined {
    const tokens = this.#count(text, limit);
    return tokens <= limit ? tokens : undefined;
  }

  /**
   * Length in code units of the longest beginning of `text` that has at most `tokensMax` tokens and does not
   * split a surrogate pair.
   */
  cut(text: string, tokensMax: number): number {
    if (this.within(text, tokensMax) !== undefined) return text.length;
    const isWithin = (end: number) => this.within(text.slice(0, end), tokensMax) !== undefined;
    return cutWithin(this.#engine, text, tokensMax, isWithin);
  }

  /** Begins a count that is advanced in slices. */
  begin(text: string): Counting {
    return new TextCount(this.#engine, new Feed(text));
  }

  #count(text: string | Uint8Array, tokensMax: number): number {
    if (text.length === 0) return 0;
    const buffer = this.#buffer ?? feedBuffer();
    this.#buffer = undefined;
    const count = new TextCount(this.#engine, new Feed(text, buffer), tokensMax);
    count.advance(Infinity);
    this.#buffer = buffer;
    return count.tokens;
  }
}
