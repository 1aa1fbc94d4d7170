import { flagsAt, widthOf } from "./classes.ts";
import { LETTER, NEWLINE, NUMBER, SPACE } from "./layout.ts";
import { contractionEnd, NEEDS_MORE, numberEnd, spacesEnd, symbolsEnd } from "./runs.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * End of the piece that begins at `at` < `text.end`, as cl100k_base's expression cuts it, or NEEDS_MORE.
 * Equal to leftmost-first backtracking over its seven alternatives, in one pass.
 */
export function pieceEndCl100k(text: Utf8, at: number, vocabulary: Vocabulary): number {
  const { bytes } = text;
  const first = bytes[at] as number;
  if (first === 0x27) {
    const end = contractionEnd(text, at);
    if (end !== at) return end;
  }
  const flags = flagsAt(bytes, at, vocabulary);
  if (flags & LETTER) return lettersEnd(text, at, vocabulary);
  if (flags & NUMBER) return numberEnd(text, at, vocabulary);
  if (flags & NEWLINE) return spacesEnd(text, at, vocabulary);
  // Anything else may lead a word.
  const next = at + widthOf(first);
  if (next >= text.end && !text.isFinal) return NEEDS_MORE;
  const nextFlags = next < text.end ? flagsAt(bytes, next, vocabulary) : SPACE;
  if (nextFlags & LETTER) return lettersEnd(text, next, vocabulary);
  if ((flags & SPACE) === 0) return symbolsEnd(text, next, vocabulary, isTail);
  const isSymbolNext = (nextFlags & (SPACE | LETTER | NUMBER)) === 0;
  if (first === 0x20 && isSymbolNext) return symbolsEnd(text, next, vocabulary, isTail);
  return spacesEnd(text, at, vocabulary);
}

/** `\p{L}+` from `at`, which is a letter. */
function lettersEnd(text: Utf8, at: number, vocabulary: Vocabulary): number {
  const { bytes, end } = text;
  let next = at;
  while (next < end && flagsAt(bytes, next, vocabulary) & LETTER) {
    next += widthOf(bytes[next] as number);
  }
  return next < end || text.isFinal ? next : NEEDS_MORE;
}

function isTail(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}
