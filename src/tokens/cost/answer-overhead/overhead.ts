import { tryParseJson } from "#kit/errors.ts";
import { readArray, readMember } from "#wire/json.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isJsonSpace,
  openBrace,
  openBracket,
  doubleQuote,
} from "#kit/text/ascii.ts";

export type Overhead = {
  readonly user_only_tokens: number;
  readonly preamble_tokens: number;
  readonly json_tokens: number;
  readonly minified_tokens: number;
  readonly structure_ratio: number;
};

type TextOverhead = JsonCharacters & {
  readonly preamble: number; // characters
  readonly document?: unknown;
};

export function isForUser(block: unknown): boolean {
  const audience = readArray(readMember(block, "annotations"), "audience");
  return audience.length > 0 && audience.every((reader) => reader === "user");
}

// `isFollowed`: more text follows in the answer.
export function measureText(text: string, isFollowed = false): TextOverhead {
  const preamble = looksLikeJson(text) ? 0 : measurePreamble(text, isFollowed);
  const body = text.slice(preamble);
  const document = parseDocument(body);
  if (document !== undefined) return { ...countJsonCharacters(body), preamble, document };
  return { data: body.length, keys: 0, punctuation: 0, whiteSpace: 0, preamble };
}

export function mayHaveOverhead(text: string, isFollowed = false): boolean {
  const isShort = text.length <= parsedJsonCharactersMax;
  if (looksLikeJson(text)) return isShort;
  return isShort ? measurePreamble(text, isFollowed) > 0 : opensAsInstruction(text);
}

export const preambleParagraphsMax = 200;

// These openings address the model or list further actions. Documentation and data rarely begin like this.
const openings = [
  /^(?:#{1,3} )?(?:IMPORTANT|INSTRUCTIONS?|SYSTEM|CRITICAL|GUIDELINES|AFFORDANCES|(?:[A-Z]{2,20} ){0,2}RULES)\b[^\n]{0,40}:/,
  /^(?:Note to|Instructions for) (?:the )?(?:AI|assistant|model|LLM|agent)\b/i,
  /^You (?:must|should)(?: always| never| not)? (?:answer|respond|reply|present|show|tell|cite|call|ask)\b/i,
  /^(?:When|Before|After) (?:responding|answering|replying|presenting)\b/i,
  /^(?:Available|Suggested|Possible) (?:actions|next steps|follow-ups?)\b[^\n]{0,40}:/i,
];

const openingTag = /^<([a-z][\w-]{0,40})(?: [^<>\n]{0,100})?>/i;
const ruleNames =
  /^(?:system|important|instructions?)|(?:^|[_-])(?:rules?|instructions?|guidelines?|constraints?|affordances?|actions|policy|policies|reminder)$/i;

// A list continues instructions that end with a colon.
const listStart = /^(?:[-*•] |\d{1,3}[.)] )/;

const headCharacters = 200;

/** The length of instructions at the beginning. 0 if in doubt, or if no other text follows the instructions. */
export function measurePreamble(text: string, isFollowed = false): number {
  let end = 0;
  const ends: ParagraphEnds = {
    blankLine: makeFinder(text, /\n[^\S\n]*\n\s*/g),
    json: makeFinder(text, /\n[{[]/g),
  };
  for (let paragraphs = 0; paragraphs < preambleParagraphsMax; paragraphs += 1) {
    const next = findInstructionEnd(text, end, { isFollowed, ends });
    if (next === end) break;
    end = next;
  }
  if (end === 0 || text.slice(end).trim() !== "") return end;
  return isFollowed ? text.length : 0;
}

function opensAsInstruction(text: string): boolean {
  const start = countLeadingSpace(text.slice(0, headCharacters));
  const head = text.slice(start, start + headCharacters);
  return openings.some((opening) => opening.test(head)) || matchRulesTag(head) !== undefined;
}

function findInstructionEnd(
  text: string,
  from: number,
  { isFollowed, ends }: { readonly isFollowed: boolean; readonly ends: ParagraphEnds },
): number {
  const start = from + countLeadingSpace(text.slice(from, from + headCharacters));
  const head = text.slice(start, start + headCharacters);
  const element = findElementEnd(text, start, head);
  if (element !== undefined) return element;
  const isOpening = openings.some((opening) => opening.test(head));
  const isContinued = from > 0 && listStart.test(head) && endsWithColon(text, from);
  if (!isOpening && !isContinued) return from;
  const end = findParagraphEnd(text, start, ends);
  if (end !== undefined) return end;
  if (isFollowed) return text.length;
  const newline = text.indexOf("\n", start);
  return newline < 0 ? from : newline + 1;
}

function countLeadingSpace(head: string): number {
  return head.length - head.trimStart().length;
}

function endsWithColon(text: string, end: number): boolean {
  return text
    .slice(Math.max(0, end - headCharacters), end)
    .trimEnd()
    .endsWith(":");
}

function matchRulesTag(head: string): { readonly tag: string; readonly name: string } | undefined {
  const [tag, name] = openingTag.exec(head) ?? [];
  if (tag === undefined || name === undefined || !ruleNames.test(name)) return undefined;
  return { tag, name };
}

function findElementEnd(text: string, start: number, head: string): number | undefined {
  const rules = matchRulesTag(head);
  if (rules === undefined) return undefined;
  const closing = `</${rules.name}>`;
  const close = text.indexOf(closing, start + rules.tag.length);
  if (close < 0) return undefined;
  const end = close + closing.length;
  const lineEnd = /^[^\S\n]*\n/.exec(text.slice(end, end + headCharacters));
  return end + (lineEnd?.[0].length ?? 0);
}

type ParagraphEnds = { readonly blankLine: Finder; readonly json: Finder };

function findParagraphEnd(
  text: string,
  start: number,
  { blankLine, json }: ParagraphEnds,
): number | undefined {
  const blank = blankLine(start);
  const document = json(start);
  const isAhead = document !== undefined && document.start < (blank?.start ?? Infinity);
  const documentStart = isAhead ? document.start + 1 : text.length;
  return parseDocument(text.slice(documentStart)) === undefined ? blank?.end : documentStart;
}

type Finder = (from: number) => { readonly start: number; readonly end: number } | undefined;

function makeFinder(text: string, pattern: RegExp): Finder {
  let found: ReturnType<Finder>;
  let isOver = false;
  return (from) => {
    while (!isOver && (found === undefined || found.start < from)) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      isOver = match === null;
      found = match === null ? undefined : { start: match.index, end: pattern.lastIndex };
    }
    return found;
  };
}

// The overhead of shorter texts is not worth measuring.
export const overheadCharactersMin = 1_000;

// A longer text is not parsed: its JSON overhead is not measured, and its brackets decide whether it is JSON.
export const parsedJsonCharactersMax = 256 * 1024;

type JsonCharacters = {
  readonly data: number;
  readonly keys: number;
  readonly punctuation: number;
  readonly whiteSpace: number;
};

export function parseDocument(text: string): unknown {
  if (text.length > parsedJsonCharactersMax || !looksLikeJson(text)) return undefined;
  return tryParseJson(text);
}

// Checks only the outer brackets: text that is not JSON, such as a line of a log, rarely has a matching pair.
export function looksLikeJson(text: string): boolean {
  let [start, end] = [0, text.length - 1];
  while (isJsonSpace(text.charCodeAt(start))) start += 1;
  const first = text.charCodeAt(start);
  if (first !== openBrace && first !== openBracket) return false;
  while (isJsonSpace(text.charCodeAt(end))) end -= 1;
  return text.charCodeAt(end) === (first === openBrace ? closeBrace : closeBracket);
}

/** The text must be valid JSON. */
export function minify(text: string): string {
  const chunks: string[] = [];
  let [from, index] = [0, 0];
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit === doubleQuote) index = findStringEnd(text, index + 1);
    else if (isJsonSpace(unit)) {
      chunks.push(text.slice(from, index));
      while (isJsonSpace(text.charCodeAt(index))) index += 1;
      from = index;
    } else index += 1;
  }
  return chunks.join("") + text.slice(from);
}

/** The text must be valid JSON. */
export function countJsonCharacters(text: string): JsonCharacters {
  let [data, keys, punctuation, whiteSpace, lastString] = [0, 0, 0, 0, 0];
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit === doubleQuote) {
      const end = findStringEnd(text, index + 1);
      lastString = end - index - 2;
      data += lastString;
      punctuation += 2;
      index = end;
      continue;
    }
    index += 1;
    if (isJsonSpace(unit)) whiteSpace += 1;
    else if (isPunctuation(unit)) punctuation += 1;
    else data += 1;
    if (unit !== colon) continue;
    keys += lastString;
    data -= lastString;
  }
  return { data, keys, punctuation, whiteSpace };
}

function isPunctuation(unit: number): boolean {
  const isBracket = unit === openBracket || unit === closeBracket;
  const isBrace = unit === openBrace || unit === closeBrace;
  return isBracket || isBrace || unit === colon || unit === comma;
}

function findStringEnd(text: string, afterQuote: number): number {
  let index = afterQuote;
  for (;;) {
    const unit = text.charCodeAt(index);
    if (unit === doubleQuote || index >= text.length) return Math.min(index + 1, text.length);
    index += unit === backslash ? 2 : 1;
  }
}
