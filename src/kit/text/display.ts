import stringWidth from "string-width";
import { reportNameColumnsMax } from "../limits.ts";
import { escapeUnsafe } from "./unsafe-text.ts";

export const cellWidthMax = 40;

/** More combining marks on one character would grow over the lines around it. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu;

/** Safe for a screen. Unsafe characters become visible escapes; a text that is too wide, or has more than four characters per column, ends with `…`. */
export function clip(raw: string, columnsMax: number = cellWidthMax): string {
  const charactersMax = columnsMax * 4;
  const safe = escapeUnsafe(raw.slice(0, charactersMax)).replaceAll(stackedMarks, "$1");
  if (displayWidth(safe) <= columnsMax && raw.length <= charactersMax) return safe;
  return `${longestPrefix(Array.from(safe), columnsMax - 1)}…`;
}

/** With `…` in the middle: the ends of long names differ more often. */
export function clipMiddle(raw: string, columnsMax: number): string {
  const safe = clip(raw, Math.max(columnsMax, reportNameColumnsMax));
  if (displayWidth(safe) <= columnsMax) return safe;
  const characters = Array.from(safe);
  const endColumns = Math.floor((columnsMax - 1) / 2);
  const beginning = longestPrefix(characters, columnsMax - 1 - endColumns);
  const end = Array.from(longestPrefix(characters.toReversed(), endColumns)).toReversed().join("");
  return `${beginning}…${end}`;
}

export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** Bisects, because measuring is expensive: a width depends on neighbouring characters. */
function longestPrefix(characters: readonly string[], columnsMax: number): string {
  let [prefix, end] = ["", characters.length];
  let fitting = 0;
  while (fitting < end) {
    const middle = Math.ceil((fitting + end) / 2);
    const candidate = characters.slice(0, middle).join("");
    if (displayWidth(candidate) <= columnsMax) [prefix, fitting] = [candidate, middle];
    else end = middle - 1;
  }
  return prefix;
}
