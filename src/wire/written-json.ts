import { backslash } from "#kit/text/ascii.ts";

/** A number of a JSON text whose value a double does not hold, or that ECMAScript writes in another way. */
const unusualNumber = /[[:,]\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/** Stands for `NaN` and `Infinity` in a text for {@link parseNoting}, and is read as null. */
export const nonFiniteMark = "-9e99999";

/** Numbers as they were written, by their holder and key. A holder without such a number is in it, too, when one of its members is. */
const notesByHolder = new WeakMap<object, Map<string, string>>();

/** True for a JSON text that may have a number that {@link parseNoting} notes. Its strings are searched as well. */
export function hasUnusualNumbers(json: string): boolean {
  return unusualNumber.test(json);
}

/** Parses as `JSON.parse` does, and notes the unusual numbers for {@link writtenJson}. */
export function parseNoting(json: string): unknown {
  return JSON.parse(json, note);
}

type Source = { readonly source?: string };

function note(this: object, key: string, value: unknown, { source }: Source = {}): unknown {
  if (typeof value === "number") {
    const text = findLongestForm(value, source ?? "");
    if (text !== undefined) findNotes(this).set(key, text);
    return source === nonFiniteMark ? null : value;
  }
  if (typeof value === "object" && value !== null && notesByHolder.has(value)) findNotes(this);
  return value;
}

function findNotes(holder: object): Map<string, string> {
  const known = notesByHolder.get(holder);
  if (known) return known;
  const notes = new Map<string, string>();
  notesByHolder.set(holder, notes);
  return notes;
}

/** How clients write a number: unchanged, as ECMAScript, or as Python, whose floats have a point. Undefined where ECMAScript's is the longest. */
function findLongestForm(value: number, source: string): string | undefined {
  // Python writes Infinity, with at most as many characters and tokens.
  if (!Number.isFinite(value)) return source.length > nonFiniteMark.length ? source : nonFiniteMark;
  const plain = String(value);
  const isFloat = /[.eE]/.test(source) && Number.isInteger(value) && !plain.includes("e");
  const reformatted = isFloat ? `${plain}.0` : plain;
  const longest = source.length >= reformatted.length ? source : reformatted;
  return longest === JSON.stringify(value) ? undefined : longest;
}

/** The JSON text with `null`, or another value, for `NaN` and `Infinity`, which Python reads and writes; undefined when it has neither outside its strings. */
export function withoutNonFinite(json: string, replacement = "null"): string | undefined {
  // Most texts that are not JSON have neither, and a search is ten times as fast as the walk below.
  if (!json.includes("NaN") && !json.includes("Infinity")) return undefined;
  const token = /"|-?Infinity|NaN/g;
  let replaced = "";
  let from = 0;
  for (let found = token.exec(json); found; found = token.exec(json)) {
    if (found[0] === '"') {
      token.lastIndex = findStringEnd(json, found.index);
      continue;
    }
    replaced += json.slice(from, found.index) + replacement;
    from = token.lastIndex;
  }
  return from === 0 ? undefined : replaced + json.slice(from);
}

export function writtenJson(value: unknown): string {
  const isNoted = typeof value === "object" && value !== null && notesByHolder.has(value);
  try {
    const json: string | undefined = isNoted
      ? JSON.stringify(value, restoreNumber)
      : JSON.stringify(value);
    return json ?? "";
  } catch {
    return "";
  }
}

function restoreNumber(this: object, key: string, value: unknown): unknown {
  const text = notesByHolder.get(this)?.get(key);
  return text === undefined ? value : rawJson(text);
}

// The library's types do not have it yet.
const rawJson: (text: string) => unknown = Reflect.get(JSON, "rawJSON");

export function keepingNotes<T extends object>(copy: T, original: object): T {
  const notes = notesByHolder.get(original);
  if (notes) notesByHolder.set(copy, notes);
  return copy;
}

/** JSON without white space as Python writes it: a space after each comma and colon. Strings stay as they are. */
export function spacedJson(json: string): string {
  const segments: string[] = [];
  for (let at = 0; at < json.length;) {
    const begin = findQuote(json, at);
    const end = findStringEnd(json, begin);
    segments.push(addSpaces(json.slice(at, begin)), json.slice(begin, end));
    at = end;
  }
  return segments.join("");
}

function addSpaces(between: string): string {
  return between.length === 1
    ? (aloneSpaced[between] ?? between)
    : between.replaceAll(/[,:]/g, "$& ");
}

const aloneSpaced: Readonly<Record<string, string>> = { ",": ", ", ":": ": " };

/** JSON as `json.dumps` of Python and Go write it: characters beyond printable ASCII, `<`, `>` and `&` as `\uXXXX`. */
export function asciiEscaped(json: string): string {
  return json
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026")
    .replaceAll(/[^\0-~]+/g, escapeAll);
}

let hexadecimal: readonly string[] | undefined;

const shortRunMax = 16;

function escapeAll(text: string): string {
  if (text.length > shortRunMax) {
    return escape(text).toLowerCase().replaceAll("%u", "\\u").replaceAll("%", "\\u00");
  }
  // Made when needed: at the start it would wake the compiler of machine code.
  hexadecimal ??= Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  let escaped = "";
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    escaped += `\\u${hexadecimal[code >> 8]}${hexadecimal[code & 0xff]}`;
  }
  return escaped;
}

export function findQuote(text: string, from: number): number {
  const found = text.indexOf('"', from);
  return found < 0 ? text.length : found;
}

/** Offset behind the string that begins there; the end of the text when it is not closed. */
export function findStringEnd(text: string, from: number): number {
  for (let end = findQuote(text, from + 1); end < text.length; end = findQuote(text, end + 1)) {
    let escapes = end;
    while (escapes - 1 > from && text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end + 1;
  }
  return text.length;
}
