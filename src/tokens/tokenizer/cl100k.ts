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
