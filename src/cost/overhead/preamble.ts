import { preambleCharactersMax } from "#limits.ts";

/** Openings that address the model. The texts that tools return, such as documentation, begin in other words. */
const openings = [
  /^(?:IMPORTANT|INSTRUCTIONS?|SYSTEM|CRITICAL)\b[^\n]{0,40}:/,
  /^<(?:system|important|instructions?)[\w-]{0,20}>/i,
  /^(?:Note to|Instructions for) (?:the )?(?:AI|assistant|model|LLM|agent)\b/i,
  /^You (?:must|should)(?: always| never| not)? (?:answer|respond|reply|present|show|tell|cite|call|ask)\b/i,
  /^(?:When|Before|After) (?:responding|answering|replying|presenting)\b/i,
];

/**
 * Characters of the first paragraph of a text, the line break that ends it included, when it opens as an
 * instruction and is followed by more text; else 0. In doubt it finds nothing.
 */
export function preambleLength(text: string): number {
  const head = text.slice(0, preambleCharactersMax).trimStart();
  if (!openings.some((opening) => opening.test(head))) return 0;
  const blank = /\n\s*\n/.exec(head);
  const end = blank === null ? head.indexOf("\n") + 1 : blank.index + blank[0].length;
  const skipped = Math.min(text.length, preambleCharactersMax) - head.length;
  return end > 0 && skipped + end < text.length ? skipped + end : 0;
}
