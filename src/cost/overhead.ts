import { overheadCharactersMax, preambleCharactersMax } from "#limits.ts";
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
} from "#wire/ascii.ts";
import { arrayAt, memberAt } from "#wire/json.ts";

/** What of an answer is not the answer, as far as it was looked at. */
export type Overhead = {
  /** Blocks that are annotated for the user alone and shown to the model all the same. */
  readonly user_only_tokens: number;
  /** Opening paragraphs that tell the model what to do with the answer. */
  readonly preamble_tokens: number;
  /** Texts of 1,000 characters and more that are JSON, as they came. */
  readonly json_tokens: number;
  /** The same without white space between their tokens. */
  readonly minified_tokens: number;
  /** Part of their characters that are keys, quotes, brackets and white space, 0…1. */
  readonly structure_ratio: number;
};

/** Characters of one text by what they are for; the five add up to its length. */
export type TextOverhead = {
  /** Values of JSON without their quotes; all of a text that is not JSON, but its preamble. */
  readonly data: number;
  readonly keys: number;
  /** Quotes, brackets, commas and colons. */
  readonly punctuation: number;
  readonly whiteSpace: number;
  /** Sentences that tell the model what to do with the answer, ahead of the answer. */
  readonly preamble: number;
};

const nothing: TextOverhead = { data: 0, keys: 0, punctuation: 0, whiteSpace: 0, preamble: 0 };

/** True for a block that its server meant for the user and not for the model. */
export function isForUser(block: unknown): boolean {
  const audience = arrayAt(memberAt(block, "annotations"), "audience");
  return audience.length > 0 && audience.every((reader) => reader === "user");
}

/** Overhead of one text. */
export function measureText(text: string): TextOverhead {
  if (isJsonDocument(text)) return countJson(text);
  const preamble = preambleLength(text);
  return { ...nothing, data: text.length - preamble, preamble };
}

/** Cheap guess whether a text has any overhead to measure: it looks like JSON, or begins as an instruction. */
export function mayHaveOverhead(text: string): boolean {
  if (text.length > overheadCharactersMax) return false;
  return looksLikeJson(text) || preambleLength(text) > 0;
}

/** The same JSON without white space between its tokens; undefined when the text is no JSON object or array. */
export function minify(text: string): string | undefined {
  if (!isJsonDocument(text)) return undefined;
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

function isJsonDocument(text: string): boolean {
  if (text.length > overheadCharactersMax || !looksLikeJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Begins with a bracket and ends with one: a log line has rarely both. */
function looksLikeJson(text: string): boolean {
  let [start, end] = [0, text.length - 1];
  while (isJsonSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isJsonSpace(text.charCodeAt(end))) end -= 1;
  const pair = `${text[start]}${text[end]}`;
  return pair === "{}" || pair === "[]";
}

/** Valid JSON, character by character: a string is a key when the next mark is a colon. */
function countJson(text: string): TextOverhead {
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
  return { ...nothing, data, keys, punctuation, whiteSpace };
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

/** Openings that speak to the reader about the answer; documentation found by a tool has other words. */
const openings = [
  /^(?:IMPORTANT|INSTRUCTIONS?|SYSTEM|CRITICAL)\b[^\n]{0,40}:/,
  /^<(?:system|important|instructions?)[\w-]{0,20}>/i,
  /^(?:Note to|Instructions for) (?:the )?(?:AI|assistant|model|LLM|agent)\b/i,
  /^You (?:must|should)(?: always| never| not)? (?:answer|respond|reply|present|show|tell|cite|call|ask)\b/i,
  /^(?:When|Before|After) (?:responding|answering|replying|presenting)\b/i,
];

/**
 * Characters up to and with the blank line or line break that ends the first paragraph, when that
 * paragraph opens as an instruction and something follows it; else 0. Meant to miss rather than to accuse.
 */
function preambleLength(text: string): number {
  const head = text.slice(0, preambleCharactersMax).trimStart();
  if (!openings.some((opening) => opening.test(head))) return 0;
  const blank = /\n\s*\n/.exec(head);
  const end = blank === null ? head.indexOf("\n") + 1 : blank.index + blank[0].length;
  const skipped = Math.min(text.length, preambleCharactersMax) - head.length;
  return end > 0 && skipped + end < text.length ? skipped + end : 0;
}
