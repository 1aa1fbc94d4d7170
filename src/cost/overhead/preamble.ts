import { preambleParagraphsMax } from "#limits.ts";
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
  for (let paragraphs = 0; paragraphs < preambleParagraphsMax; paragraphs += 1) {
    const next = instructionEnd(text, end, isFollowed);
    if (next === end) break;
    end = next;
  }
  const isWhole = end > 0 && text.slice(end).trim() === "";
  if (isWhole) return isFollowed ? text.length : 0;
  return end;
}

/** End of the instruction that begins behind the white space at `from`; `from` when there is none. */
function instructionEnd(text: string, from: number, isFollowed: boolean): number {
  const start = from + leadingSpace(text.slice(from, from + headCharacters));
  const head = text.slice(start, start + headCharacters);
  const element = elementEnd(text, start, head);
  if (element !== undefined) return element;
  const isOpening = openings.some((opening) => opening.test(head));
  const isContinued = from > 0 && listStart.test(head) && endsWithColon(text, from);
  if (!isOpening && !isContinued) return from;
  return paragraphEnd(text, start, isFollowed) ?? from;
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

/** End of an element of rules, its closing tag included; undefined when there is none at `start`. */
function elementEnd(text: string, start: number, head: string): number | undefined {
  const [tag, name] = openingTag.exec(head) ?? [];
  if (tag === undefined || name === undefined || !ruleNames.test(name)) return undefined;
  const closing = `</${name}>`;
  const close = text.indexOf(closing, start + tag.length);
  if (close < 0) return undefined;
  const end = close + closing.length;
  const lineEnd = /^[^\S\n]*\n/.exec(text.slice(end, end + headCharacters));
  return end + (lineEnd?.[0].length ?? 0);
}

/** End of the paragraph at `start`: a JSON document, a blank line, or its first line when neither follows. */
function paragraphEnd(text: string, start: number, isFollowed: boolean): number | undefined {
  const rest = text.slice(start);
  const blank = /\n[^\S\n]*\n\s*/.exec(rest);
  const json = /\n[{[]/.exec(rest.slice(0, blank?.index));
  if (json !== null && isJsonDocument(rest.slice(json.index + 1))) return start + json.index + 1;
  if (blank !== null) return start + blank.index + blank[0].length;
  if (isFollowed) return text.length;
  const line = rest.indexOf("\n");
  return line < 0 ? undefined : start + line + 1;
}
