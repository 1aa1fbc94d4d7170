import { displayWidth } from "./display.ts";
import { escapeLookalikes, escapeUnsafe } from "./unsafe-text.ts";

export type TextPair = { readonly before: string; readonly after: string };

/** Otherwise invisible: a space, and a line break at the end. */
const marks = { space: "␠", lineBreak: "␤" } as const;

/** Safe for a screen, about `columnsMax` columns each, with the first difference in view. White space is marked at the ends, and where nothing else differs. */
export function showDifference(pair: TextPair, columnsMax: number): TextPair {
  const { before, after } = hasSameWords(pair) ? markDifference(pair) : pair;
  const safe = { before: safeText(before), after: safeText(after) };
  const isWide = [safe.before, safe.after].some(
    (text) => displayWidth(text.slice(0, columnsMax)) > columnsMax,
  );
  return aroundDifference(safe, isWide ? Math.floor(columnsMax / 2) : columnsMax);
}

export function markWhiteSpace(text: string): string {
  return /^\s+$/u.test(text) ? marked(text) : text;
}

export function markLastBreak({ before, after }: TextPair): TextPair {
  if (before.endsWith("\n") === after.endsWith("\n")) return { before, after };
  return { before: withBreakMark(before), after: withBreakMark(after) };
}

/** Starts a little before the first difference, if that is beyond `charactersMax`. */
export function aroundDifference({ before, after }: TextPair, charactersMax: number): TextPair {
  const at = commonStart(before, after);
  const lead = Math.floor(charactersMax / 3);
  const isInView = at <= 2 * lead || Math.max(before.length, after.length) <= charactersMax;
  const begin = isInView ? 0 : at - lead;
  return {
    before: cut(before, begin, charactersMax),
    after: cut(after, begin, charactersMax),
  };
}

export function hasSameWords({ before, after }: TextPair): boolean {
  return words(before) === words(after);
}

function words(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ");
}

function markDifference({ before, after }: TextPair): TextPair {
  const begin = commonStart(before, after);
  const limit = Math.min(before.length, after.length) - begin;
  let end = 0;
  while (end < limit && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const mark = (text: string): string =>
    text.slice(0, begin) +
    text.slice(begin, text.length - end).replaceAll(/\s+/gu, marked) +
    text.slice(text.length - end);
  return { before: mark(before), after: mark(after) };
}

function safeText(text: string): string {
  return escapeUnsafe(escapeLookalikes(text.replace(/^\s+/u, marked).replace(/\s+$/u, marked)));
}

function marked(blanks: string): string {
  return blanks
    .replaceAll(" ", marks.space)
    .replaceAll(/[^\S\t-\r]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function withBreakMark(text: string): string {
  return text.endsWith("\n") ? `${text.slice(0, -1)}${marks.lineBreak}` : text;
}

function commonStart(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let at = 0;
  while (at < limit && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function cut(text: string, begin: number, length: number): string {
  if (begin === 0 && text.length <= length) return text;
  const part = text.slice(begin, begin + length).toWellFormed();
  return `${begin > 0 ? "…" : ""}${part}${text.length > begin + length ? "…" : ""}`;
}
