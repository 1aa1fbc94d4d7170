import {
  flagsAt,
  newlineFlag,
  notSymbolFlags,
  numberFlag,
  spaceFlag,
  tailFlag,
} from "./classes.ts";
import { needsMore, nowhere, type Scan } from "./scan.ts";
import { codePointBytes, type Utf8 } from "./utf8.ts";

const apostrophe = 0x27;

export function numberEnd(text: Utf8, at: number, { vocabulary }: Scan): number {
  const { bytes, end } = text;
  let next = at;
  for (let digits = 0; digits < 3; digits++) {
    if (next >= end) return text.isFinal ? next : needsMore;
    if ((flagsAt(bytes, next, vocabulary) & numberFlag) === 0) return next;
    next += codePointBytes(bytes[next] as number);
  }
  return next;
}

export function symbolsEnd(text: Utf8, at: number, scan: Scan): number {
  const { bytes, end } = text;
  const { vocabulary } = scan;
  let next = at;
  let flags = 0;
  while (next < end) {
    flags = flagsAt(bytes, next, vocabulary);
    if (flags & notSymbolFlags) break;
    next += codePointBytes(bytes[next] as number);
  }
  if (next < end) return flags & tailFlag ? tailEnd(text, next, scan) : next;
  return text.isFinal ? next : scan.pause(next, symbolsEnd, nowhere);
}

function tailEnd(text: Utf8, at: number, scan: Scan): number {
  const { bytes, end } = text;
  let next = at;
  while (next < end && flagsAt(bytes, next, scan.vocabulary) & tailFlag) next++;
  return next < end || text.isFinal ? next : scan.pause(next, tailEnd, nowhere);
}

/**
 * End of `\s*[\r\n]+|\s+(?!\S)|\s+` from `at`: behind the last newline of the run, else before its last
 * space, which goes to the word after it, else the end of the run. `mark` is where the last space before
 * `at` begins.
 */
export function spacesEnd(text: Utf8, at: number, scan: Scan, mark: number): number {
  const { bytes, end } = text;
  const { vocabulary } = scan;
  let next = at;
  let last = mark;
  let newlineEnd = nowhere;
  while (next < end) {
    const flags = flagsAt(bytes, next, vocabulary);
    if ((flags & spaceFlag) === 0) break;
    last = next;
    next += codePointBytes(bytes[next] as number);
    if (flags & newlineFlag) newlineEnd = next;
  }
  if (next >= end && !text.isFinal) {
    return newlineEnd === nowhere
      ? scan.pause(next, spacesEnd, last)
      : scan.pause(next, newlinesEnd, newlineEnd);
  }
  if (newlineEnd !== nowhere) return newlineEnd;
  const isOnly = last === at && mark === nowhere;
  return next >= end || isOnly ? next : last;
}

function newlinesEnd(text: Utf8, at: number, scan: Scan, mark: number): number {
  const { bytes, end } = text;
  const { vocabulary } = scan;
  let next = at;
  let newlineEnd = mark;
  while (next < end) {
    const flags = flagsAt(bytes, next, vocabulary);
    if ((flags & spaceFlag) === 0) return newlineEnd;
    next += codePointBytes(bytes[next] as number);
    if (flags & newlineFlag) newlineEnd = next;
  }
  return text.isFinal ? newlineEnd : scan.pause(next, newlinesEnd, newlineEnd);
}

export const longestContractionBytes = 3;

/** End of `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` from `at`. Without regard to case, ſ (U+017F, C5 BF) is an s; no other letter folds to one of these. */
export function contractionEnd(text: Utf8, at: number): number {
  const { bytes, end } = text;
  if (at >= end || bytes[at] !== apostrophe) return at;
  if (at + longestContractionBytes > end && !text.isFinal) return needsMore;
  const next = at + contractionBytes(bytes[at + 1] as number, bytes[at + 2] as number);
  return next <= end ? next : at;
}

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
