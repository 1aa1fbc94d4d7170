import { preambleParagraphsMax } from "#limits/content.ts";
import { isJsonDocument } from "./json-text.ts";

/**
 * Openings of paragraphs that address the model or list its further actions. The texts that tools return, such
 * as documentation, begin in other words.
 */
const openings = [
  /^(?:#{1,3} )?(?:IMPORTANT|INSTRUCTIONS?|SYSTEM|CRITICAL|GUIDELINES|AFFORDANCES|(?:[A-Z]{2,20} ){0,2}RULES)\b[^\n]{0,40}:/,
  /^(?:Note to|Instructions for) (?:the )?(?:AI|assistant|model|LLM|agent)\b/i,
  /^You (?:must|should)(?: always| never| not)? (?:answer|respond|reply|present|show|tell|cite|call|ask)\b/i,
  /^(?:When|Before|After) (?:responding|answering|replying|presenting)\b/i,
  /^(?:Available|Suggested|Possible) (?:actions|next steps|follow-ups?)\b[^\n]{0,40}:/i,
];

/** The opening tag of an element, and the names of elements that hold rules or actions. */
const openingTag = /^<([a-z][\w-]{0,40})(?: [^<>\n]{0,100})?>/i;
const ruleNames =
  /^(?:system|important|instructions?)|(?:^|[_-])(?:rules?|instructions?|guidelines?|constraints?|affordances?|actions|policy|policies|reminder)$/i;

/** A list that continues the instructions, after one that ends with a colon. */
const listStart = /^(?:[-*•] |\d{1,3}[.)] )/;

/** Characters at the beginning of a paragraph that openings are searched in. */
const headCharacters = 200;

/**
 * Characters of the paragraphs and XML elements at the beginning of a text that instruct the model, the line
 * breaks behind them included. All of the text is one when more blocks follow; else 0 when nothing follows
 * them. In doubt it finds nothing. Takes time in proportion to the text.
 */
export function preambleLength(text: string, isFollowed = false): number {
  let end = 0;
  const ends: ParagraphEnds = {
    blankLine: finder(text, /\n[^\S\n]*\n\s*/g),
    json: finder(text, /\n[{[]/g),
  };
  for (let paragraphs = 0; paragraphs < preambleParagraphsMax; paragraphs += 1) {
    const next = instructionEnd(text, end, { isFollowed, ends });
    if (next === end) break;
    end = next;
  }
  const isWhole = end > 0 && text.slice(end).trim() === "";
  if (isWhole) return isFollowed ? text.length : 0;
  return end;
}

/** True when a text begins as an instruction: most texts do not, and need not be read to the end. */
export function opensAsInstruction(text: string): boolean {
  const head = text.slice(leadingSpace(text.slice(0, headCharacters))).slice(0, headCharacters);
  return openings.some((opening) => opening.test(head)) || openingRules(head) !== undefined;
}

/** End of the instruction that begins behind the white space at `from`; `from` when there is none. */
function instructionEnd(
  text: string,
  from: number,
  { isFollowed, ends }: { readonly isFollowed: boolean; readonly ends: ParagraphEnds },
): number {
  const start = from + leadingSpace(text.slice(from, from + headCharacters));
  const head = text.slice(start, start + headCharacters);
  const element = elementEnd(text, start, head);
  if (element !== undefined) return element;
  const isOpening = openings.some((opening) => opening.test(head));
  const isContinued = from > 0 && listStart.test(head) && endsWithColon(text, from);
  if (!isOpening && !isContinued) return from;
  const end = paragraphEnd(text, start, ends);
  if (end !== undefined) return end;
  return isFollowed ? text.length : (firstLineEnd(text, start) ?? from);
}

function leadingSpace(head: string): number {
  return head.length - head.trimStart().length;
}

function endsWithColon(text: string, end: number): boolean {
  return text
    .slice(Math.max(0, end - headCharacters), end)
    .trimEnd()
    .endsWith(":");
}

/** The tag at the beginning that opens an element of rules. */
function openingRules(head: string): { readonly tag: string; readonly name: string } | undefined {
  const [tag, name] = openingTag.exec(head) ?? [];
  if (tag === undefined || name === undefined || !ruleNames.test(name)) return undefined;
  return { tag, name };
}

/** End of an element of rules, its closing tag included; undefined when there is none at `start`. */
function elementEnd(text: string, start: number, head: string): number | undefined {
  const rules = openingRules(head);
  if (rules === undefined) return undefined;
  const closing = `</${rules.name}>`;
  const close = text.indexOf(closing, start + rules.tag.length);
  if (close < 0) return undefined;
  const end = close + closing.length;
  const lineEnd = /^[^\S\n]*\n/.exec(text.slice(end, end + headCharacters));
  return end + (lineEnd?.[0].length ?? 0);
}

/** The places where a paragraph may end. */
type ParagraphEnds = { readonly blankLine: Finder; readonly json: Finder };

/** End of the paragraph at `start`: a JSON document, or a blank line; undefined when neither follows. */
function paragraphEnd(
  text: string,
  start: number,
  { blankLine, json }: ParagraphEnds,
): number | undefined {
  const blank = blankLine(start);
  const document = json(start);
  const isAhead = document !== undefined && document.start < (blank?.start ?? Infinity);
  if (isAhead && isJsonDocument(text.slice(document.start + 1))) return document.start + 1;
  return blank?.end;
}

/** End of the first line; undefined when it is the last one. */
function firstLineEnd(text: string, start: number): number | undefined {
  const line = text.indexOf("\n", start);
  return line < 0 ? undefined : line + 1;
}

/** The first match at or behind a place; places rise. */
type Finder = (from: number) => { readonly start: number; readonly end: number } | undefined;

/** A finder that goes through the text once, however many paragraphs ask it. */
function finder(text: string, pattern: RegExp): Finder {
  let found: { readonly start: number; readonly end: number } | undefined;
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
