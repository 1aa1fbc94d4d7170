import { pieceEndCl100k } from "./cl100k.ts";
import { cutWithin } from "./cut.ts";
import type { Engine, PieceEnd } from "./engine.ts";
import { Feed, type FeedBuffer, feedBuffer } from "./feed.ts";
import { pieceEndO200k } from "./o200k.ts";
import { PieceCounter } from "./piece-counter.ts";
import { TextCount } from "./text-count.ts";
import { Vocabulary } from "./vocabulary.ts";

export type Encoding = "o200k_base" | "cl100k_base";

/** `advance` does about `workMax` bytes of work and returns true once `tokens` is complete. */
export type Counting = {
  advance(workMax: number): boolean;
  readonly tokens: number;
};

const pieceEnds: Record<Encoding, PieceEnd> = {
  o200k_base: pieceEndO200k,
  cl100k_base: pieceEndCl100k,
};

/** As tiktoken's `encode_ordinary`: special tokens are ordinary text, lone surrogates U+FFFD. O(n log n). */
export class Tokenizer {
  readonly #engine: Engine;
  #buffer: FeedBuffer | undefined;

  /** `file` is packed by scripts/vocabulary.ts; it is viewed, not copied. */
  constructor(encoding: Encoding, file: ArrayBuffer) {
    const vocabulary = new Vocabulary(file);
    const pieces = new PieceCounter(vocabulary);
    this.#engine = { vocabulary, pieceEnd: pieceEnds[encoding], pieces };
  }

  count(text: string): number {
    return this.#count(text, Infinity);
  }

  countBytes(utf8: Uint8Array): number {
    return this.#count(utf8, Infinity);
  }

  within(text: string, limit: number): number | undefined {
    const tokens = this.#count(text, limit);
    return tokens <= limit ? tokens : undefined;
  }

  cut(text: string, tokensMax: number): number {
    if (this.within(text, tokensMax) !== undefined) return text.length;
    const isWithin = (end: number) => this.within(text.slice(0, end), tokensMax) !== undefined;
    return cutWithin(this.#engine, text, tokensMax, isWithin);
  }

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
