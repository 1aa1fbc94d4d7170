import { flagsAt, widthOf } from "./classes.ts";
import { LETTER, NEWLINE, NUMBER, SPACE } from "./layout.ts";
import { NEEDS_MORE, NOWHERE, type Pause } from "./pause.ts";
import { contractionEnd, numberEnd, spacesEnd, symbolsEnd } from "./runs.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * End of the piece that begins at `at` < `text.end`, as cl100k_base's expression cuts it, or NEEDS_MORE,
 * and then `pause` knows how to go on where that is far from `at`.
 * Equal to leftmost-first backtracking over its seven alternatives, in one pass.
 */
export function pieceEndCl100k(
  text: Utf8,
  at: number,
  vocabulary: Vocabulary,
  pause: Pause,
): number {
  const { bytes } = text;
  const first = bytes[at] as number;
  if (first === 0x27) {
    const end = contractionEnd(text, at);
    if (end !== at) return end;
  }
  const flags = flagsAt(bytes, at, vocabulary);
  if (flags & LETTER) return lettersEnd(text, at, vocabulary, pause);
  if (flags & NUMBER) return numberEnd(text, at, vocabulary);
  if (flags & NEWLINE) return spacesEnd(text, at, vocabulary, pause, NOWHERE);
  // Anything else may lead a word.
  const next = at + widthOf(first);
  if (next >= text.end && !text.isFinal) return NEEDS_MORE;
  const nextFlags = next < text.end ? flagsAt(bytes, next, vocabulary) : SPACE;
  if (nextFlags & LETTER) return lettersEnd(text, next, vocabulary, pause);
  if ((flags & SPACE) === 0) return symbolsEnd(text, next, vocabulary, pause);
  const isSymbolNext = (nextFlags & (SPACE | LETTER | NUMBER)) === 0;
  if (first === 0x20 && isSymbolNext) return symbolsEnd(text, next, vocabulary, pause);
  return spacesEnd(text, at, vocabulary, pause, NOWHERE);
}

/** `\p{L}+` from `at`, or nothing. */
function lettersEnd(text: Utf8, at: number, vocabulary: Vocabulary, pause: Pause): number {
  const { bytes, end } = text;
  let next = at;
  while (next < end && flagsAt(bytes, next, vocabulary) & LETTER) {
    next += widthOf(bytes[next] as number);
  }
  return next < end || text.isFinal ? next : pause.at(next, lettersEnd, NOWHERE);
}
