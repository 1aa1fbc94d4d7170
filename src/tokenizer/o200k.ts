import { flagsAt, widthOf } from "./classes.ts";
import { LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER } from "./layout.ts";
import { NEEDS_MORE, NOWHERE, type Pause } from "./pause.ts";
import { CONTRACTION_BYTES_MAX, contractionEnd, numberEnd, spacesEnd, symbolsEnd } from "./runs.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * End of the piece that begins at `at` < `text.end`, as o200k_base's expression cuts it, or NEEDS_MORE,
 * and then `pause` knows how to go on where that is far from `at`.
 * Equal to leftmost-first backtracking over its seven alternatives, in one pass.
 */
export function pieceEndO200k(
  text: Utf8,
  at: number,
  vocabulary: Vocabulary,
  pause: Pause,
): number {
  const { bytes } = text;
  const first = bytes[at] as number;
  const flags = flagsAt(bytes, at, vocabulary);
  if (flags & (UPPER | LOWER)) return wordEnd(text, at, vocabulary, pause, NOWHERE);
  if (flags & NUMBER) return numberEnd(text, at, vocabulary);
  if (flags & NEWLINE) return spacesEnd(text, at, vocabulary, pause, NOWHERE);
  // Anything else may lead a word.
  const next = at + widthOf(first);
  if (next >= text.end && !text.isFinal) return NEEDS_MORE;
  const nextFlags = next < text.end ? flagsAt(bytes, next, vocabulary) : SPACE;
  if (nextFlags & (UPPER | LOWER)) return wordEnd(text, next, vocabulary, pause, NOWHERE);
  if ((flags & SPACE) === 0) return symbolsEnd(text, next, vocabulary, pause);
  const isSymbolNext = (nextFlags & (SPACE | LETTER | NUMBER)) === 0;
  if (first === 0x20 && isSymbolNext) return symbolsEnd(text, next, vocabulary, pause);
  return spacesEnd(text, at, vocabulary, pause, NOWHERE);
}

/**
 * `[UPPER]*[LOWER]+` or else `[UPPER]+`, then a contraction, from `at`, which is one of them. Letters
 * without case and marks are in both classes. When no lower-case letter follows the first run, the
 * expression gives back characters until one of both classes ends the word, so the place after the
 * last such character, `mark`, is remembered instead.
 */
function wordEnd(
  text: Utf8,
  at: number,
  vocabulary: Vocabulary,
  pause: Pause,
  mark: number,
): number {
  const { bytes, end } = text;
  let next = at;
  let bothEnd = mark;
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
    if (next + CONTRACTION_BYTES_MAX > end && !text.isFinal)
      return pause.at(next, lowersEnd, NOWHERE);
    return contractionEnd(text, next);
  }
  if (next + CONTRACTION_BYTES_MAX > end && !text.isFinal) return pause.at(next, wordEnd, bothEnd);
  return bothEnd === NOWHERE || bothEnd === next ? contractionEnd(text, next) : bothEnd;
}

/** `[LOWER]*` and a contraction from `at`. */
function lowersEnd(text: Utf8, at: number, vocabulary: Vocabulary, pause: Pause): number {
  const { bytes, end } = text;
  let next = at;
  while (next < end && flagsAt(bytes, next, vocabulary) & LOWER) {
    next += widthOf(bytes[next] as number);
  }
  if (next + CONTRACTION_BYTES_MAX > end && !text.isFinal)
    return pause.at(next, lowersEnd, NOWHERE);
  return contractionEnd(text, next);
}
