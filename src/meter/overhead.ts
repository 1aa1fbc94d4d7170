import { arrayAt, memberAt, textAt } from "#wire/json.ts";

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

/** What of an answer is not the answer. Blocks are counted, the rest are characters of text blocks. */
export type Overhead = TextOverhead & {
  readonly blocks: number;
  /** Blocks with `annotations.audience` of users alone. */
  readonly blocksForUser: number;
};

/** Characters of one text that are looked at; what is beyond counts as data. */
export const overheadCharactersMax = 1024 * 1024;

const nothing: TextOverhead = { data: 0, keys: 0, punctuation: 0, whiteSpace: 0, preamble: 0 };

/** Overhead of a result's text blocks; any JSON value is some result. */
export function measureOverhead(rawResult: unknown): Overhead {
  const blocks = arrayAt(rawResult, "content");
  const texts = blocks.flatMap((block) =>
    textAt(block, "type") === "text" ? [textAt(block, "text") ?? ""] : [],
  );
  return {
    ...texts.map(measureText).reduce(add, nothing),
    blocks: blocks.length,
    blocksForUser: blocks.filter(isForUser).length,
  };
}

/** True for a block that its server meant for the user and not for the model. */
function isForUser(block: unknown): boolean {
  const audience = arrayAt(memberAt(block, "annotations"), "audience");
  return audience.length > 0 && audience.every((reader) => reader === "user");
}

/** Overhead of one text. */
export function measureText(text: string): TextOverhead {
  if (isJsonDocument(text)) return countJson(text);
  const preamble = preambleLength(text);
  return { ...nothing, data: text.length - preamble, preamble };
}

/** The same JSON without white space between its tokens; undefined when the text is no JSON object or array. */
export function minify(text: string): string | undefined {
  if (!isJsonDocument(text)) return undefined;
  const kept: string[] = [];
  scan(text, (kind, start, end) => {
    if (kind !== "whiteSpace") kept.push(text.slice(start, end));
  });
  return kept.join("");
}

function add(one: TextOverhead, other: TextOverhead): TextOverhead {
  return {
    data: one.data + other.data,
    keys: one.keys + other.keys,
    punctuation: one.punctuation + other.punctuation,
    whiteSpace: one.whiteSpace + other.whiteSpace,
    preamble: one.preamble + other.preamble,
  };
}

function isJsonDocument(text: string): boolean {
  if (text.length > overheadCharactersMax || !/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function countJson(text: string): TextOverhead {
  const counts = { ...nothing };
  scan(text, (kind, start, end) => {
    const length = end - start;
    if (kind === "string") {
      counts.punctuation += 2;
      counts[isKey(text, end) ? "keys" : "data"] += length - 2;
    } else counts[kind] += length;
  });
  return counts;
}

/** A string is a key when the next token is a colon. */
function isKey(text: string, end: number): boolean {
  let index = end;
  while (isJsonSpace(text.charCodeAt(index))) index += 1;
  return text.charCodeAt(index) === 0x3a;
}

type Kind = "string" | "punctuation" | "whiteSpace" | "data";

/** Cuts valid JSON into runs of one kind, in order and without gaps; a string comes with its quotes. */
function scan(text: string, visit: (kind: Kind, start: number, end: number) => void): void {
  let start = 0;
  while (start < text.length) {
    const kind = kindOf(text.charCodeAt(start));
    let end = start + 1;
    if (kind === "string") end = stringEnd(text, end);
    else while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
    visit(kind, start, end);
    start = end;
  }
}

function kindOf(unit: number): Kind {
  if (unit === 0x22) return "string";
  if (isJsonSpace(unit)) return "whiteSpace";
  const isMark = unit === 0x2c || unit === 0x3a || unit === 0x5b || unit === 0x5d;
  return isMark || unit === 0x7b || unit === 0x7d ? "punctuation" : "data";
}

function isJsonSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function stringEnd(text: string, afterQuote: number): number {
  let index = afterQuote;
  while (index < text.length && text.charCodeAt(index) !== 0x22) {
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  }
  return Math.min(index + 1, text.length);
}

/** Characters of a text's beginning in which a preamble is looked for. */
const preambleCharactersMax = 1000;

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
