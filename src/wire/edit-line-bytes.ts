import { type Member, type Skim, skimBytes, findMember } from "./skimmer.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  newline,
  openBrace,
  openBracket,
  doubleQuote,
  space,
} from "#kit/text/ascii.ts";
import { joinBytes } from "./line.ts";

export type ElementSpan = readonly [start: number, end: number];

export function findElements(bytes: Uint8Array): readonly ElementSpan[] {
  const spans: ElementSpan[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === doubleQuote) {
      at = findClosingQuote(bytes, at);
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (byte === comma) {
      if (depth !== 1) continue;
      spans.push([start, at]);
      start = at + 1;
    } else if (byte === closeBracket || byte === closeBrace) {
      if (depth === 1) spans.push([start, at]);
      depth -= 1;
    }
  }
  return spans;
}

export function keepElements(bytes: Uint8Array, keep: (index: number) => boolean): Uint8Array {
  const spans = findElements(bytes).filter((_, index) => keep(index));
  return makeBatch(spans.map(([start, end]) => bytes.subarray(start, end)));
}

/** `batch` may also be a single message. */
export function appendElements(
  batch: Uint8Array | undefined,
  messages: readonly Uint8Array[],
): Uint8Array {
  const elements = batch ? splitElements(batch) : [];
  return makeBatch([...elements, ...messages.map(trimNewline)]);
}

function makeBatch(elements: readonly Uint8Array[]): Uint8Array {
  const chunks = elements.flatMap((element, index) => [
    Uint8Array.of(index === 0 ? openBracket : comma),
    element,
  ]);
  return joinBytes([...chunks, Uint8Array.of(closeBracket, newline)]);
}

function splitElements(bytes: Uint8Array): readonly Uint8Array[] {
  const isBatch = bytes.find((byte) => byte > space) === openBracket;
  if (!isBatch) return [bytes];
  const spans = findElements(bytes).map(([start, end]) => bytes.subarray(start, end));
  // `[]` yields one blank element.
  return spans.filter((span) => span.some((byte) => byte > space));
}

function trimNewline(line: Uint8Array): Uint8Array {
  return line.at(-1) === newline ? line.subarray(0, -1) : line;
}

function findClosingQuote(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== doubleQuote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Adds a member to the end of the result's `_meta`, so that it overrides an earlier member of the same name. */
export function spliceMeta(line: Uint8Array, key: string, value: unknown): Uint8Array | undefined {
  const result = findResult(line, "_meta");
  if (!result) return undefined;
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  const rawMeta = findMember(result.skim, "_meta");
  if (!rawMeta) return insertLast(line, result, `"_meta":{${member}}`);
  const meta = findObject(line, rawMeta, result.start, new Set([key]));
  // Another mcp-meter may already have added the member.
  return meta && !findMember(meta.skim, key) ? insertLast(line, meta, member) : undefined;
}

/** Drops each element for which `edit` returns undefined. Returns undefined if the result has no array `member`. */
export function editElements(
  line: Uint8Array,
  member: string,
  edit: (element: Uint8Array) => Uint8Array | undefined,
): Uint8Array | undefined {
  const result = findResult(line, member);
  const array = result && findMember(result.skim, member);
  if (!array) return undefined;
  const [start, end] = [result.start + array.start, result.start + array.end];
  const bytes = line.subarray(start, end);
  if (bytes.find((byte) => byte > space) !== openBracket) return undefined;
  const spans = findElements(bytes).map(([from, to]) => bytes.subarray(from, to));
  const elements = spans.flatMap((span) => edit(span) ?? []);
  const chunks = elements.flatMap((element, at) => (at === 0 ? [element] : [commaByte, element]));
  const open = line.subarray(0, start + bytes.indexOf(openBracket) + 1);
  return joinBytes([open, ...chunks, line.subarray(start + bytes.lastIndexOf(closeBracket))]);
}

const commaByte = Uint8Array.of(comma);

type ObjectSpan = { readonly start: number; readonly close: number; readonly skim: Skim };

// If the result has a member `soughtKey`, the skim keeps that member, however many others the result has.
function findResult(line: Uint8Array, soughtKey: string): ObjectSpan | undefined {
  return findObject(line, findMember(skimBytes(line), "result"), 0, new Set([soughtKey]));
}

function findObject(
  line: Uint8Array,
  member: Member | undefined,
  offset: number,
  keptKeys?: ReadonlySet<string>,
): ObjectSpan | undefined {
  if (!member) return undefined;
  const start = offset + member.start;
  const bytes = line.subarray(start, offset + member.end);
  const skim = skimBytes(bytes, keptKeys);
  const close = bytes.lastIndexOf(closeBrace);
  const isObject = skim.shape === "object" && skim.isClosed && close > 0;
  return isObject ? { start, close: start + close, skim } : undefined;
}

function insertLast(line: Uint8Array, { close, skim }: ObjectSpan, member: string): Uint8Array {
  const separator = skim.members.length === 0 ? "" : ",";
  const inserted = new TextEncoder().encode(`${separator}${member}`);
  return joinBytes([line.subarray(0, close), inserted, line.subarray(close)]);
}
