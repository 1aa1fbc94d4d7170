import { flagsAt, widthOf } from "./classes.ts";
import { LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER } from "./layout.ts";
import { contractionEnd, NEEDS_MORE, numberEnd, spacesEnd, symbolsEnd } from "./runs.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * End of the piece that begins at `at` < `text.end`, as o200k_base's expression cuts it, or NEEDS_MORE.
 * Equal to leftmost-first backtracking over its seven alternatives, in one pass.
 */
export function pieceEndO200k(text: Utf8, at: number, vocabulary: Vocabulary): number {
  const { bytes } = text;
  const first = bytes[at] as number;
  const flags = flagsAt(bytes, at, vocabulary);
  if (flags & (UPPER | LOWER)) return wordEnd(text, at, vocabulary);
  if (flags & NUMBER) return numberEnd(text, at, vocabulary);
  if (flags & NEWLINE) return spacesEnd(text, at, vocabulary);
  // Anything else may lead a word.
  const next = at + widthOf(first);
  if (next >= text.end && !text.isFinal) return NEEDS_MORE;
  const nextFlags = next < text.end ? flagsAt(bytes, next, vocabulary) : SPACE;
  if (nextFlags & (UPPER | LOWER)) return wordEnd(text, next, vocabulary);
  if ((flags & SPACE) === 0) return symbolsEnd(text, next, vocabulary, isTail);
  const isSymbolNext = (nextFlags & (SPACE | LETTER | NUMBER)) === 0;
  if (first === 0x20 && isSymbolNext) return symbolsEnd(text, next, vocabulary, isTail);
  return spacesEnd(text, at, vocabulary);
}

/**
 * `[UPPER]*[LOWER]+` or else `[UPPER]+`, then a contraction, from `at`, which is one of them. Letters
 * without case and marks are in both classes. When no lower-case letter follows the first run, the
 * expression gives back characters until one of both classes ends the word, so the last such
 * character is remembered instead.
 */
function wordEnd(text: Utf8, at: number, vocabulary: Vocabulary): number {
  const { bytes, end } = text;
  let next = at;
  let bothEnd = -1;
  let flags = 0;
  while (next < end) {
    flags = flagsAt(bytes, next, vocabulary);
    if ((flags & UPPER) === 0) break;
    next += widthOf(bytes[next] as number);
    if (flags & LOWER) bothEnd = next;
  }
  if (next < end && flags & LOWER) {
    do next += widthOf(bytes[next] as number);
    while (next < end && flagsAt(bytes, next, vocabulary) & LOWER);
    bothEnd = next;
  }
  if (next >= end && !text.isFinal) return NEEDS_MORE;
  return contractionEnd(text, bothEnd >= 0 ? bothEnd : next);
}

function isTail(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x2f;
}
