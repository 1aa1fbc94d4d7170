import stringWidth from "string-width";
import { findLargest } from "./numbers.ts";
import { escapeUnsafe } from "./unsafe-text.ts";

export const cellWidthMax = 40;

export const problemColumnsMax = 600;

// With more than four combining marks, a character would cover neighboring lines.
const stackedMarks = /(\p{M}{4})\p{M}+/gu;

// Makes the text safe to print. If it has more than `columnsMax` columns or 4 * `columnsMax` characters, it is cut and
// ends with `…`.
export function clip(raw: string, columnsMax: number = cellWidthMax): string {
  // Most names pass this test. The patterns for other characters take a millisecond to compile.
  if (raw.length <= columnsMax && /^[ -~]*$/.test(raw)) return raw;
  const charactersMax = columnsMax * 4;
  const safe = escapeUnsafe(raw.slice(0, charactersMax)).replaceAll(stackedMarks, "$1");
  if (displayWidth(safe) <= columnsMax && raw.length <= charactersMax) return safe;
  return `${takeLongestPrefix(Array.from(safe), columnsMax - 1)}…`;
}

export function displayWidth(text: string): number {
  return stringWidth(text);
}

// A character's width depends on its neighbors, so widths cannot be added up. Bisecting measures few prefixes.
export function takeLongestPrefix(characters: readonly string[], columnsMax: number): string {
  const take = (count: number): string => characters.slice(0, count).join("");
  return take(findLargest(characters.length, (count) => displayWidth(take(count)) <= columnsMax));
}
