import { cutWithin } from "./cut.ts";
import type { Engine, PieceEnd } from "./engine.ts";
import { Feed, type FeedBuffer, feedBuffer } from "./feed.ts";
import { pieceEndO200k } from "./o200k.ts";
import { PieceCounter } from "./piece-counter.ts";
import { TextCount } from "./text-count.ts";
import { Vocabulary } from "./vocabulary.ts";
import {
  flagsAt,
  letterFlag,
  newlineFlag,
  notSymbolFlags,
  numberFlag,
  space,
  spaceFlag,
} from "./classes.ts";
import { contractionEnd, numberEnd, spacesEnd, symbolsEnd } from "./runs.ts";
import { needsMore, nowhere, type Scan } from "./scan.ts";
import { codePointBytes, type Utf8 } from "./utf8.ts";

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

/** End of the piece at `at` < `text.end`, or `needsMore`: one pass, equal to the regular expression of cl100k_base. */
export function pieceEndCl100k(text: Utf8, at: number, scan: Scan): number {
  const { bytes } = text;
  const { vocabulary } = scan;
  const contracted = contractionEnd(text, at);
  if (contracted !== at) return contracted;
  const flags = flagsAt(bytes, at, vocabulary);
  if (flags & letterFlag) return lettersEnd(text, at, scan);
  if (flags & numberFlag) return numberEnd(text, at, scan);
  if (flags & newlineFlag) return spacesEnd(text, at, scan, nowhere);
  // Any other character may lead a word.
  const next = at + codePointBytes(bytes[at] as number);
  if (next >= text.end && !text.isFinal) return needsMore;
  const nextFlags = next < text.end ? flagsAt(bytes, next, vocabulary) : spaceFlag;
  if (nextFlags & letterFlag) return lettersEnd(text, next, scan);
  const isLead = bytes[at] === space && (nextFlags & notSymbolFlags) === 0;
  const isSymbols = isLead || (flags & spaceFlag) === 0;
  return isSymbols ? symbolsEnd(text, next, scan) : spacesEnd(text, at, scan, nowhere);
}

function lettersEnd(text: Utf8, at: number, scan: Scan): number {
  const { bytes, end } = text;
  const { vocabulary } = scan;
  let next = at;
  while (next < end && flagsAt(bytes, next, vocabulary) & letterFlag) {
    next += codePointBytes(bytes[next] as number);
  }
  return next < end || text.isFinal ? next : scan.pause(next, lettersEnd, nowhere);
}
