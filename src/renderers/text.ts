import stringWidth from "string-width";
import { cellWidthMax } from "#limits.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";

/** Combining marks a character may carry before it grows over its neighbours. */
const marks = /(\p{M}{4})\p{M}+/gu;

/** A name from the wire, safe on a screen and at most `widthMax` columns wide. */
export function shownName(raw: string, widthMax: number = cellWidthMax): string {
  const safe = escapeUnsafe(raw.slice(0, widthMax * 4)).replaceAll(marks, "$1");
  if (stringWidth(safe) <= widthMax && raw.length <= widthMax * 4) return safe;
  let shown = "";
  for (const character of safe) {
    if (stringWidth(shown + character) > widthMax - 1) break;
    shown += character;
  }
  return `${shown}…`;
}

/** `18220` → `18,220`. */
export function shownCount(count: number): string {
  return Math.round(count)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** A share of 0…1 as `12.3 %`, whole above ten. */
export function shownShare(share: number): string {
  const percent = share * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

/** Milliseconds with as many digits as mean something. */
export function shownMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : shownCount(ms);
}

/** `1 tool`, `2 tools`. */
export function plural(count: number, noun: string): string {
  const ending = count === 1 ? "" : noun.endsWith("ch") ? "es" : "s";
  return `${shownCount(count)} ${noun}${ending}`;
}

/** Columns a text takes on a terminal. */
export function shownWidth(text: string): number {
  return stringWidth(text);
}
