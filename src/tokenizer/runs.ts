import { flagsAt, widthOf } from "./classes.ts";
import { LETTER, NEWLINE, NUMBER, SPACE, TAIL } from "./layout.ts";
import { NEEDS_MORE, NOWHERE, type Pause } from "./pause.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** `\p{N}{1,3}` from `at`, which is a number. */
export function numberEnd(text: Utf8, at: number, vocabulary: Vocabulary): number {
  const { bytes, end } = text;
  let next = at;
  for (let digits = 0; digits < 3; digits++) {
    if (next >= end) return text.isFinal ? next : NEEDS_MORE;
    if ((flagsAt(bytes, next, vocabulary) & NUMBER) === 0) return next;
    next += widthOf(bytes[next] as number);
  }
  return next;
}

/** `[^\s\p{L}\p{N}]+` and the tail `[\r\n]*`, in o200k_base `[\r\n/]*`, from `at` on. */
export function symbolsEnd(text: Utf8, at: number, vocabulary: Vocabulary, pause: Pause): number {
  const { bytes, end } = text;
  let next = at;
  let flags = 0;
  while (next < end) {
    flags = flagsAt(bytes, next, vocabulary);
    if (flags & (SPACE | LETTER | NUMBER)) break;
    next += widthOf(bytes[next] as number);
  }
  if (next < end) return flags & TAIL ? tailEnd(text, next, vocabulary, pause) : next;
  return text.isFinal ? next : pause.at(next, symbolsEnd, NOWHERE);
}

function tailEnd(text: Utf8, at: number, vocabulary: Vocabulary, pause: Pause): number {
  const { bytes, end } = text;
  let next = at;
  while (next < end && flagsAt(bytes, next, vocabulary) & TAIL) next++;
  return next < end || text.isFinal ? next : pause.at(next, tailEnd, NOWHERE);
}

/**
 * `\s*[\r\n]+|\s+(?!\S)|\s+` from `at`: through the last newline of the run, else up to its last
 * space, which is left for the word after it, else all of it. `mark` is where the last space before
 * `at` begins.
 */
export function spacesEnd(
  text: Utf8,
  at: number,
  vocabulary: Vocabulary,
  pause: Pause,
  mark: number,
): number {
  const { bytes, end } = text;
  let next = at;
  let last = mark;
  let newlineEnd = NOWHERE;
  while (next < end) {
    const flags = flagsAt(bytes, next, vocabulary);
    if ((flags & SPACE) === 0) break;
    last = next;
    next += widthOf(bytes[next] as number);
    if (flags & NEWLINE) newlineEnd = next;
  }
  if (next >= end && !text.isFinal) {
    return newlineEnd === NOWHERE
      ? pause.at(next, spacesEnd, last)
      : pause.at(next, newlinesEnd, newlineEnd);
  }
  if (newlineEnd !== NOWHERE) return newlineEnd;
  const isOnly = last === at && mark === NOWHERE;
  return next >= end || isOnly ? next : last;
}

/** `\s*[\r\n]+` from `at`, or nothing; `mark` is where the last newline before `at` ends. */
function newlinesEnd(
  text: Utf8,
  at: number,
  vocabulary: Vocabulary,
  pause: Pause,
  mark: number,
): number {
  const { bytes, end } = text;
  let next = at;
  let newlineEnd = mark;
  while (next < end) {
    const flags = flagsAt(bytes, next, vocabulary);
    if ((flags & SPACE) === 0) return newlineEnd;
    next += widthOf(bytes[next] as number);
    if (flags & NEWLINE) newlineEnd = next;
  }
  return text.isFinal ? newlineEnd : pause.at(next, newlinesEnd, newlineEnd);
}

export const CONTRACTION_BYTES_MAX = 3;

/**
 * `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` from `at`. Ignoring case, ſ (U+017F, C5 BF) is an s; no other letter
 * folds to these.
 */
export function contractionEnd(text: Utf8, at: number): number {
  const { bytes, end } = text;
  if (at >= end || bytes[at] !== 0x27) return at;
  if (at + CONTRACTION_BYTES_MAX > end && !text.isFinal) return NEEDS_MORE;
  const next = at + contractionBytes(bytes[at + 1] as number, bytes[at + 2] as number);
  return next <= end ? next : at;
}

/** Bytes of the contraction whose apostrophe is followed by these two bytes, 0 when it is none. */
function contractionBytes(first: number, second: number): number {
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
