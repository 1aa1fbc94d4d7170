import {
  flagsAt,
  lowerFlag,
  newlineFlag,
  notSymbolFlags,
  numberFlag,
  space,
  spaceFlag,
  upperFlag,
} from "./classes.ts";
import {
  contractionEnd,
  longestContractionBytes,
  numberEnd,
  spacesEnd,
  symbolsEnd,
} from "./runs.ts";
import { needsMore, nowhere, type Scan } from "./scan.ts";
import { codePointBytes, type Utf8 } from "./utf8.ts";

/** As o200k_base's regular expression cuts it; see `pieceEndCl100k`. */
export function pieceEndO200k(text: Utf8, at: number, scan: Scan): number {
  const { bytes } = text;
  const { vocabulary } = scan;
  const flags = flagsAt(bytes, at, vocabulary);
  if (flags & (upperFlag | lowerFlag)) return wordEnd(text, at, scan, nowhere);
  if (flags & numberFlag) return numberEnd(text, at, scan);
  if (flags & newlineFlag) return spacesEnd(text, at, scan, nowhere);
  // Any other character may lead a word.
  const next = at + codePointBytes(bytes[at] as number);
  if (next >= text.end && !text.isFinal) return needsMore;
  const nextFlags = next < text.end ? flagsAt(bytes, next, vocabulary) : spaceFlag;
  if (nextFlags & (upperFlag | lowerFlag)) return wordEnd(text, next, scan, nowhere);
  const isLead = bytes[at] === space && (nextFlags & notSymbolFlags) === 0;
  const isSymbols = isLead || (flags & spaceFlag) === 0;
  return isSymbols ? symbolsEnd(text, next, scan) : spacesEnd(text, at, scan, nowhere);
}

/**
 * End of `[UPPER]*[LOWER]+`, else of `[UPPER]+`, and a contraction, from `at`, which is in one of the classes.
 * Letters without case and marks are in both. When no lower-case letter follows the first run, the
 * expression backtracks to the last character of both classes; `mark` is the end of that character.
 */
function wordEnd(text: Utf8, at: number, scan: Scan, mark: number): number {
  const { bytes, end } = text;
  const { vocabulary } = scan;
  let next = at;
  let bothEnd = mark;
  let flags = 0;
  while (next < end) {
    flags = flagsAt(bytes, next, vocabulary);
    if ((flags & upperFlag) === 0) break;
    next += codePointBytes(bytes[next] as number);
    if (flags & lowerFlag) bothEnd = next;
  }
  if (next < end && flags & lowerFlag) {
    do next += codePointBytes(bytes[next] as number);
    while (next < end && flagsAt(bytes, next, vocabulary) & lowerFlag);
    if (next + longestContractionBytes > end && !text.isFinal) {
      return scan.pause(next, lowersEnd, nowhere);
    }
    return contractionEnd(text, next);
  }
  return uppersEnd(text, next, scan, bothEnd);
}

/** `bothEnd` is where the expression backtracks to. */
function uppersEnd(text: Utf8, at: number, scan: Scan, bothEnd: number): number {
  if (at + longestContractionBytes > text.end && !text.isFinal) {
    return scan.pause(at, wordEnd, bothEnd);
  }
  return bothEnd === nowhere || bothEnd === at ? contractionEnd(text, at) : bothEnd;
}

function lowersEnd(text: Utf8, at: number, scan: Scan): number {
  const { bytes, end } = text;
  const { vocabulary } = scan;
  let next = at;
  while (next < end && flagsAt(bytes, next, vocabulary) & lowerFlag) {
    next += codePointBytes(bytes[next] as number);
  }
  if (next + longestContractionBytes > end && !text.isFinal) {
    return scan.pause(next, lowersEnd, nowhere);
  }
  return contractionEnd(text, next);
}
