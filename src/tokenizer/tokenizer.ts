import { pieceEndCl100k } from "./cl100k.ts";
import { cutWithin } from "./cut.ts";
import { BUFFER_BYTES, Feed } from "./feed.ts";
import { pieceEndO200k } from "./o200k.ts";
import { PieceCounter } from "./piece-counter.ts";
import { type Engine, type PieceEnd, TextCount } from "./text-count.ts";
import { Vocabulary } from "./vocabulary.ts";

export type Encoding = "o200k_base" | "cl100k_base";

/** A count in progress: `advance` does about `workMax` bytes of work and is true once it is complete. */
export type Counting = {
  advance(workMax: number): boolean;
  readonly tokens: number;
};

const PIECE_ENDS: Record<Encoding, PieceEnd> = {
  o200k_base: pieceEndO200k,
  cl100k_base: pieceEndCl100k,
};

/**
 * Counts tokens as tiktoken's `encode_ordinary` would make them: text that looks like a special token
 * is ordinary text, lone surrogates are U+FFFD. Time is O(n log n) for any text.
 */
export class Tokenizer {
  private readonly engine: Engine;
  private buffer: Uint8Array | undefined;

  /** `file` is the packed vocabulary of `encoding` (scripts/vocabulary.ts); it is viewed, not copied. */
  constructor(encoding: Encoding, file: ArrayBuffer) {
    const vocabulary = new Vocabulary(file);
    const pieces = new PieceCounter(vocabulary);
    this.engine = { vocabulary, pieceEnd: PIECE_ENDS[encoding], pieces };
  }

  count(text: string): number {
    return this.countWith(text, Number.POSITIVE_INFINITY);
  }

  /** Bytes that are not UTF-8 count as the U+FFFD that replaces them. */
  countBytes(utf8: Uint8Array): number {
    return this.countWith(utf8, Number.POSITIVE_INFINITY);
  }

  /** Tokens of `text` when they are at most `limit`, else undefined; reads little beyond the limit. */
  within(text: string, limit: number): number | undefined {
    const tokens = this.countWith(text, limit);
    return tokens <= limit ? tokens : undefined;
  }

  /**
   * Length of the longest beginning of `text` that has at most `tokensMax` tokens and splits no
   * surrogate pair, in code units.
   */
  cut(text: string, tokensMax: number): number {
    if (this.within(text, tokensMax) !== undefined) return text.length;
    const isWithin = (end: number) => this.within(text.slice(0, end), tokensMax) !== undefined;
    return cutWithin(this.engine, text, tokensMax, isWithin);
  }

  begin(text: string): Counting {
    return new TextCount(this.engine, new Feed(text));
  }

  private countWith(text: string | Uint8Array, tokensMax: number): number {
    if (text.length === 0) return 0;
    const buffer = this.buffer ?? new Uint8Array(BUFFER_BYTES);
    this.buffer = undefined;
    const count = new TextCount(this.engine, new Feed(text, buffer), tokensMax);
    count.advance(Number.POSITIVE_INFINITY);
    this.buffer = buffer;
    return count.tokens;
  }
}
