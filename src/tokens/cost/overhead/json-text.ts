import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isJsonSpace,
  openBrace,
  openBracket,
  quote,
} from "#kit/text/ascii.ts";

// A longer JSON text counts as data.
export const overheadCharactersMax = 256 * 1024;

/** Characters by purpose; they add up to the length. */
export type JsonCharacters = {
  readonly data: number;
  readonly keys: number;
  readonly punctuation: number;
  readonly whiteSpace: number;
};

export function isJsonDocument(text: string): boolean {
  return parseDocument(text) !== undefined;
}

/** An object or a list, of at most `overheadCharactersMax` characters. */
export function parseDocument(text: string): unknown {
  if (text.length > overheadCharactersMax || !looksLikeJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A log line rarely begins and ends with matching brackets.
export function looksLikeJson(text: string): boolean {
  let [start, end] = [0, text.length - 1];
  while (isJsonSpace(text.charCodeAt(start))) start += 1;
  const first = text.charCodeAt(start);
  if (first !== openBrace && first !== openBracket) return false;
  while (isJsonSpace(text.charCodeAt(end))) end -= 1;
  return text.charCodeAt(end) === (first === openBrace ? closeBrace : closeBracket);
}

/** Accepts valid JSON only. */
export function minify(text: string): string {
  const kept: string[] = [];
  let [from, index] = [0, 0];
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit === quote) index = stringEnd(text, index + 1);
    else if (isJsonSpace(unit)) {
      kept.push(text.slice(from, index));
      while (isJsonSpace(text.charCodeAt(index))) index += 1;
      from = index;
    } else index += 1;
  }
  return kept.join("") + text.slice(from);
}

/** Accepts valid JSON only. A string before a colon is a key. */
export function countJsonCharacters(text: string): JsonCharacters {
  let [data, keys, punctuation, whiteSpace, lastString] = [0, 0, 0, 0, 0];
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      const end = stringEnd(text, index + 1);
      lastString = end - index - 2;
      data += lastString;
      punctuation += 2;
      index = end;
      continue;
    }
    index += 1;
    if (isJsonSpace(unit)) whiteSpace += 1;
    else if (isMark(unit)) punctuation += 1;
    else data += 1;
    if (unit !== colon) continue;
    keys += lastString;
    data -= lastString;
  }
  return { data, keys, punctuation, whiteSpace };
}

function isMark(unit: number): boolean {
  const isBracket = unit === openBracket || unit === closeBracket;
  const isBrace = unit === openBrace || unit === closeBrace;
  return isBracket || isBrace || unit === colon || unit === comma;
}

function stringEnd(text: string, afterQuote: number): number {
  let index = afterQuote;
  for (;;) {
    const unit = text.charCodeAt(index);
    if (unit === quote || index >= text.length) return Math.min(index + 1, text.length);
    index += unit === backslash ? 2 : 1;
  }
}
