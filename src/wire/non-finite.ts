import { quote, backslash } from "./ascii.ts";

const nonFinite = /-?Infinity|NaN/g;

/**
 * The JSON text with `null` for `NaN` and `Infinity`, which Python reads and writes; undefined when it has
 * neither outside its strings.
 */
export function withoutNonFinite(json: string): string | undefined {
  // Most texts that are not JSON have neither, and a search is ten times as fast as the walk below.
  if (!json.includes("NaN") && !json.includes("Infinity")) return undefined;
  const parts: string[] = [];
  let isChanged = false;
  for (let at = 0; at < json.length;) {
    const begin = indexOfQuote(json, at);
    const outside = json.slice(at, begin);
    const replaced = outside.replaceAll(nonFinite, "null");
    isChanged ||= replaced !== outside;
    const end = stringEnd(json, begin);
    parts.push(replaced, json.slice(begin, end));
    at = end;
  }
  return isChanged ? parts.join("") : undefined;
}

function indexOfQuote(text: string, from: number): number {
  const found = text.indexOf('"', from);
  return found < 0 ? text.length : found;
}

/** Offset behind the string that begins at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) {
    at += text.charCodeAt(at) === backslash ? 2 : 1;
  }
  return Math.min(at + 1, text.length);
}
