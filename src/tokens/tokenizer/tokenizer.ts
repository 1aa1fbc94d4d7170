import { space } from "#kit/text/ascii.ts";
import { Feed, type FeedBuffer, makeFeedBuffer, countCodePointBytes, type Utf8 } from "./feed.ts";
import { PieceCounter } from "./piece-counter.ts";
import {
  type Engine,
  type FindPieceEnd,
  needsMore,
  noOffset,
  type PausedRun,
  TextCount,
} from "./text-count.ts";
import { readCharacterFlags, Vocabulary } from "./vocabulary.ts";
import {
  letterFlag,
  newlineFlag,
  notSymbolFlags,
  numberFlag,
  spaceFlag,
  lowerFlag,
  upperFlag,
  tailFlag,
} from "./vocabulary-layout.ts";

export type Encoding = "o200k_base" | "cl100k_base";

export type Counting = {
  advance(workMax: number): boolean; // by about `workMax` bytes; true if `tokens` is final
  readonly tokens: number;
};

const findPieceEndByEncoding: Record<Encoding, FindPieceEnd> = {
  o200k_base: findPieceEndO200k,
  cl100k_base: findPieceEndCl100k,
};

// Counts like tiktoken's `encode_ordinary`: special tokens are text, lone surrogates become U+FFFD. O(n log n).
export class Tokenizer {
  readonly #engine: Engine;
  #buffer: FeedBuffer | undefined;

  constructor(encoding: Encoding, file: ArrayBuffer) {
    const vocabulary = new Vocabulary(file);
    const pieces = new PieceCounter(vocabulary);
    this.#engine = { vocabulary, findEnd: findPieceEndByEncoding[encoding], pieces };
  }

  count(text: string): number {
    return this.#count(text, Infinity);
  }

  countBytes(utf8: Uint8Array): number {
    return this.#count(utf8, Infinity);
  }

  countWithin(text: string, limit: number): number | undefined {
    const tokens = this.#count(text, limit);
    return tokens <= limit ? tokens : undefined;
  }

  begin(text: string): Counting {
    return new TextCount(this.#engine, new Feed(text));
  }

  #count(text: string | Uint8Array, tokensMax: number): number {
    if (text.length === 0) return 0;
    const buffer = this.#buffer ?? makeFeedBuffer();
    this.#buffer = undefined;
    const count = new TextCount(this.#engine, new Feed(text, buffer), tokensMax);
    count.advance(Infinity);
    this.#buffer = buffer;
    return count.tokens;
  }
}

/** The end of the piece that starts at `at`, by cl100k_base's regular expression, or `needsMore`. Takes one pass. */
export function findPieceEndCl100k(text: Utf8, at: number, run: PausedRun): number {
  const { bytes } = text;
  const { vocabulary } = run;
  const contracted = findContractionEnd(text, at);
  if (contracted !== at) return contracted;
  const flags = readCharacterFlags(bytes, at, vocabulary);
  if (flags & letterFlag) return findLettersEnd(text, at, run);
  if (flags & numberFlag) return findNumberEnd(text, at, run);
  if (flags & newlineFlag) return findSpacesEnd(text, at, run, noOffset);
  // Any other character may precede a word.
  const next = at + countCodePointBytes(bytes[at] as number);
  if (next >= text.end && !text.isFinal) return needsMore;
  const nextFlags = next < text.end ? readCharacterFlags(bytes, next, vocabulary) : spaceFlag;
  if (nextFlags & letterFlag) return findLettersEnd(text, next, run);
  const isSpaceBeforeSymbol = bytes[at] === space && (nextFlags & notSymbolFlags) === 0;
  const isSymbols = isSpaceBeforeSymbol || (flags & spaceFlag) === 0;
  return isSymbols ? findSymbolsEnd(text, next, run) : findSpacesEnd(text, at, run, noOffset);
}

function findLettersEnd(text: Utf8, at: number, run: PausedRun): number {
  const next = skipRun(text, at, run, letterFlag);
  return next < text.end || text.isFinal ? next : run.pause(next, findLettersEnd, noOffset);
}

function skipRun(text: Utf8, at: number, run: PausedRun, flags: number): number {
  const { bytes, end } = text;
  const { vocabulary } = run;
  let next = at;
  while (next < end && readCharacterFlags(bytes, next, vocabulary) & flags) {
    next += countCodePointBytes(bytes[next] as number);
  }
  return next;
}

/** Like `findPieceEndCl100k`, for o200k_base's regular expression. */
export function findPieceEndO200k(text: Utf8, at: number, run: PausedRun): number {
  const { bytes } = text;
  const { vocabulary } = run;
  const flags = readCharacterFlags(bytes, at, vocabulary);
  if (flags & (upperFlag | lowerFlag)) return findWordEnd(text, at, run, noOffset);
  if (flags & numberFlag) return findNumberEnd(text, at, run);
  if (flags & newlineFlag) return findSpacesEnd(text, at, run, noOffset);
  // Any other character may precede a word.
  const next = at + countCodePointBytes(bytes[at] as number);
  if (next >= text.end && !text.isFinal) return needsMore;
  const nextFlags = next < text.end ? readCharacterFlags(bytes, next, vocabulary) : spaceFlag;
  if (nextFlags & (upperFlag | lowerFlag)) return findWordEnd(text, next, run, noOffset);
  const isSpaceBeforeSymbol = bytes[at] === space && (nextFlags & notSymbolFlags) === 0;
  const isSymbols = isSpaceBeforeSymbol || (flags & spaceFlag) === 0;
  return isSymbols ? findSymbolsEnd(text, next, run) : findSpacesEnd(text, at, run, noOffset);
}

// The end of `[UPPER]*[LOWER]+`, or else of `[UPPER]+`, including a contraction. Caseless letters and combining marks
// are both UPPER and LOWER. So if no LOWER follows the run of UPPER characters, the last caseless one in it counts as
// LOWER, and the word ends after it. A paused search continues with the end of the last caseless character as `mark`.
function findWordEnd(text: Utf8, at: number, run: PausedRun, mark: number): number {
  const { bytes, end } = text;
  const { vocabulary } = run;
  let next = at;
  let caselessEnd = mark;
  let flags = 0;
  while (next < end) {
    flags = readCharacterFlags(bytes, next, vocabulary);
    if ((flags & upperFlag) === 0) break;
    next += countCodePointBytes(bytes[next] as number);
    if (flags & lowerFlag) caselessEnd = next;
  }
  if (next < end && flags & lowerFlag) {
    // Inlines `findLowersEnd`, because this loop reads most bytes of ordinary text.
    do next += countCodePointBytes(bytes[next] as number);
    while (next < end && readCharacterFlags(bytes, next, vocabulary) & lowerFlag);
    if (next + longestContractionBytes > end && !text.isFinal) {
      return run.pause(next, findLowersEnd, noOffset);
    }
    return findContractionEnd(text, next);
  }
  return findUppersEnd(text, next, run, caselessEnd);
}

function findUppersEnd(text: Utf8, at: number, run: PausedRun, caselessEnd: number): number {
  if (at + longestContractionBytes > text.end && !text.isFinal) {
    return run.pause(at, findWordEnd, caselessEnd);
  }
  const isBacktracking = caselessEnd !== noOffset && caselessEnd !== at;
  return isBacktracking ? caselessEnd : findContractionEnd(text, at);
}

function findLowersEnd(text: Utf8, at: number, run: PausedRun): number {
  const next = skipRun(text, at, run, lowerFlag);
  if (next + longestContractionBytes > text.end && !text.isFinal) {
    return run.pause(next, findLowersEnd, noOffset);
  }
  return findContractionEnd(text, next);
}

const apostrophe = 0x27;

export function findNumberEnd(text: Utf8, at: number, { vocabulary }: PausedRun): number {
  const { bytes, end } = text;
  let next = at;
  for (let digits = 0; digits < 3; digits++) {
    if (next >= end) return text.isFinal ? next : needsMore;
    if ((readCharacterFlags(bytes, next, vocabulary) & numberFlag) === 0) return next;
    next += countCodePointBytes(bytes[next] as number);
  }
  return next;
}

export function findSymbolsEnd(text: Utf8, at: number, run: PausedRun): number {
  const { bytes, end } = text;
  const { vocabulary } = run;
  let next = at;
  let flags = 0;
  while (next < end) {
    flags = readCharacterFlags(bytes, next, vocabulary);
    if (flags & notSymbolFlags) break;
    next += countCodePointBytes(bytes[next] as number);
  }
  if (next < end) return flags & tailFlag ? findTailEnd(text, next, run) : next;
  return text.isFinal ? next : run.pause(next, findSymbolsEnd, noOffset);
}

function findTailEnd(text: Utf8, at: number, run: PausedRun): number {
  const next = skipRun(text, at, run, tailFlag);
  return next < text.end || text.isFinal ? next : run.pause(next, findTailEnd, noOffset);
}

// The end of a match of `\s*[\r\n]+|\s+(?!\S)|\s+`. With a newline, the match ends after the last newline. Without one,
// a lone space matches, and so do all spaces at the end of the text. Otherwise the last space may belong to the next
// word, so the match ends before it. A paused search continues with the start of its last space as `mark`.
export function findSpacesEnd(text: Utf8, at: number, run: PausedRun, mark: number): number {
  const { bytes, end } = text;
  const { vocabulary } = run;
  let next = at;
  let last = mark;
  let newlineEnd = noOffset;
  while (next < end) {
    const flags = readCharacterFlags(bytes, next, vocabulary);
    if ((flags & spaceFlag) === 0) break;
    last = next;
    next += countCodePointBytes(bytes[next] as number);
    if (flags & newlineFlag) newlineEnd = next;
  }
  if (next >= end && !text.isFinal) {
    return newlineEnd === noOffset
      ? run.pause(next, findSpacesEnd, last)
      : run.pause(next, findNewlinesEnd, newlineEnd);
  }
  if (newlineEnd !== noOffset) return newlineEnd;
  const isOnly = last === at && mark === noOffset;
  return next >= end || isOnly ? next : last;
}

function findNewlinesEnd(text: Utf8, at: number, run: PausedRun, mark: number): number {
  const { bytes, end } = text;
  const { vocabulary } = run;
  let next = at;
  let newlineEnd = mark;
  while (next < end) {
    const flags = readCharacterFlags(bytes, next, vocabulary);
    if ((flags & spaceFlag) === 0) return newlineEnd;
    next += countCodePointBytes(bytes[next] as number);
    if (flags & newlineFlag) newlineEnd = next;
  }
  return text.isFinal ? newlineEnd : run.pause(next, findNewlinesEnd, newlineEnd);
}

const longestContractionBytes = 3;

// The end of `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`. Beyond ASCII, only ſ (U+017F, C5 BF) matches: it folds to s.
export function findContractionEnd(text: Utf8, at: number): number {
  const { bytes, end } = text;
  if (at >= end || bytes[at] !== apostrophe) return at;
  if (at + longestContractionBytes > end && !text.isFinal) return needsMore;
  const next = at + countContractionBytes(bytes[at + 1] as number, bytes[at + 2] as number);
  return next <= end ? next : at;
}

function countContractionBytes(first: number, second: number): number {
  switch (first | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return 2;
    case 0x72: // r
    case 0x76: // v
      return (second | 0x20) === 0x65 ? 3 : 0;
    case 0x6c: // l
      return (second | 0x20) === 0x6c ? 3 : 0;
    default:
      return first === 0xc5 && second === 0xbf ? 3 : 0;
  }
}
