import { backslash } from "#kit/text/ascii.ts";
import { attempt } from "#kit/errors.ts";
import { findChangedNumber } from "#kit/text/numbers.ts";
import { stringifyCompact } from "./json.ts";

// Matches numbers that a double might change or that ECMAScript might write differently.
const unusualNumber = /[[:,]\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

// Replaces `NaN` and `Infinity` before parsing: `parseWithNotes` reads this mark as null.
export const nonFiniteMark = "-9e99999";

// The texts of unusual numbers, by object and key. An object has an entry if an unusual number is anywhere inside it.
// If all its unusual numbers are in inner objects, the entry is empty.
const notesByHolder = new WeakMap<object, Map<string, string>>();

export function hasUnusualNumbers(json: string): boolean {
  return unusualNumber.test(json);
}

// Like JSON.parse, but notes unusual numbers for `stringifyAsWritten`.
export function parseWithNotes(json: string): unknown {
  return JSON.parse(json, noteNumber);
}

type Source = { readonly source?: string };

function noteNumber(this: object, key: string, value: unknown, { source }: Source = {}): unknown {
  if (typeof value === "number") {
    const text = findLongestForm(value, source ?? "");
    if (text !== undefined) getOrAddNotes(this).set(key, text);
    return source === nonFiniteMark ? null : value;
  }
  if (typeof value === "object" && value !== null && notesByHolder.has(value)) getOrAddNotes(this);
  return value;
}

function getOrAddNotes(holder: object): Map<string, string> {
  const known = notesByHolder.get(holder);
  if (known) return known;
  const notes = new Map<string, string>();
  notesByHolder.set(holder, notes);
  return notes;
}

// The longest form of the number: original, ECMAScript's or Python's (`1.0`). Undefined if ECMAScript's is longest.
function findLongestForm(value: number, source: string): string | undefined {
  // Python writes numbers beyond a double's range as `Infinity` or `-Infinity`, which is not JSON. `nonFiniteMark` is
  // used instead: it is JSON, about as long, and has more tokens.
  if (!Number.isFinite(value)) return source.length > nonFiniteMark.length ? source : nonFiniteMark;
  const plain = String(value);
  const isFloat = /[.eE]/.test(source) && Number.isInteger(value) && !plain.includes("e");
  const reformatted = isFloat ? `${plain}.0` : plain;
  const longest = source.length >= reformatted.length ? source : reformatted;
  return longest === JSON.stringify(value) ? undefined : longest;
}

// Replaces `NaN` and `Infinity`, which Python reads and writes. Undefined if neither occurs.
export function replaceNonFinite(json: string, replacement = "null"): string | undefined {
  // Most invalid JSON has neither, and this search is ten times as fast as the walk below.
  if (!json.includes("NaN") && !json.includes("Infinity")) return undefined;
  const pattern = /"|-?Infinity|NaN/g;
  let replaced = "";
  let from = 0;
  for (let found = pattern.exec(json); found; found = pattern.exec(json)) {
    if (found[0] === '"') {
      pattern.lastIndex = findStringEnd(json, found.index);
      continue;
    }
    replaced += json.slice(from, found.index) + replacement;
    from = pattern.lastIndex;
  }
  return from === 0 ? undefined : replaced + json.slice(from);
}

export function stringifyAsWritten(value: unknown): string {
  const isNoted = typeof value === "object" && value !== null && notesByHolder.has(value);
  return isNoted
    ? attempt(() => JSON.stringify(value, restoreNumber), "")
    : stringifyCompact(value);
}

function restoreNumber(this: object, key: string, value: unknown): unknown {
  const text = notesByHolder.get(this)?.get(key);
  return text === undefined ? value : rawJson(text);
}

// TypeScript's library types lack `JSON.rawJSON`.
const rawJson: (text: string) => unknown = Reflect.get(JSON, "rawJSON");

export function copyNotes<T extends object>(copy: T, original: object): T {
  const notes = notesByHolder.get(original);
  if (notes) notesByHolder.set(copy, notes);
  return copy;
}

// Adds a space after each comma and colon outside strings, as Python does.
export function addJsonSpaces(json: string): string {
  const segments: string[] = [];
  for (let at = 0; at < json.length;) {
    const begin = findQuote(json, at);
    const end = findStringEnd(json, begin);
    segments.push(addSpaces(json.slice(at, begin)), json.slice(begin, end));
    at = end;
  }
  return segments.join("");
}

function addSpaces(structure: string): string {
  return structure.length === 1
    ? (spacedSigns[structure] ?? structure)
    : structure.replaceAll(/[,:]/g, "$& ");
}

const spacedSigns: Readonly<Record<string, string>> = { ",": ", ", ":": ": " };

export function escapeLikeGoAndPython(json: string): string {
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
  // Built on first use: building it at startup would trigger the JIT compiler.
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

// Returns the offset after the closing quote, or the length of the text if there is no closing quote.
export function findStringEnd(text: string, from: number): number {
  for (let end = findQuote(text, from + 1); end < text.length; end = findQuote(text, end + 1)) {
    let start = end;
    while (start - 1 > from && text.charCodeAt(start - 1) === backslash) start -= 1;
    if ((end - start) % 2 === 0) return end + 1;
  }
  return text.length;
}

type ConvertNumber = (source: string, value: number) => unknown;

export function parseConvertingNumbers(text: string, convertNumber: ConvertNumber): unknown {
  return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? convertNumber(context?.source ?? "", value) : value,
  );
}

// A number that parsing would change becomes a unique symbol. But a fraction of at most 17 digits stays a number,
// because C and PHP print doubles with up to 17 digits. Throws SyntaxError for invalid JSON.
export function parseExactly(text: string): unknown {
  return parseConvertingNumbers(text, (source, value) =>
    isExact(source, value) ? value : Symbol(source),
  );
}

const doubleDigits = 17;

function isExact(source: string, value: number): boolean {
  if (findChangedNumber(source, value) === undefined) return true;
  if (Number.isInteger(value) || !Number.isFinite(value)) return false;
  const [digits = ""] = source.split(/e/i);
  return digits.replaceAll(/^-?[0.]+|[-.]/g, "").length <= doubleDigits;
}

// Stands before and after a number that is written as a string. `writeExactly` removes the marks and the quotes.
const numberMark = "\u0000";

const markedNumber = /"\\u0000([-+.\deE]+)\\u0000"/g;

export function writeExactly(value: unknown, write: (value: unknown) => string): string {
  return write(markSymbols(value)).replaceAll(markedNumber, "$1");
}

function markSymbols(value: unknown): unknown {
  if (typeof value === "symbol") return `${numberMark}${value.description ?? ""}${numberMark}`;
  if (Array.isArray(value)) return value.map(markSymbols);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, markSymbols(member)]),
  );
}
