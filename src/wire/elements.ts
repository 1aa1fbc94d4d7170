import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  newline,
  openBrace,
  openBracket,
  quote,
} from "./ascii.ts";
import { joinBytes } from "./bytes.ts";

const opening = new Set([openBracket, openBrace]);
const closing = new Set([closeBracket, closeBrace]);

/** Where the elements of a JSON array lie, as byte offsets. The text must be valid JSON. */
export function arrayElements(
  bytes: Uint8Array,
): readonly (readonly [start: number, end: number])[] {
  const spans: [number, number][] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at = stringEnd(bytes, at);
    } else if (opening.has(byte)) {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (closing.has(byte) || byte === comma) {
      if (depth === 1) {
        spans.push([start, at]);
        start = at + 1;
      }
      if (byte !== comma) depth -= 1;
    }
  }
  return spans;
}

/** A batch line of the elements that `keep` chooses, their bytes untouched. */
export function keepElements(bytes: Uint8Array, keep: (index: number) => boolean): Uint8Array {
  const kept = arrayElements(bytes).filter((_, index) => keep(index));
  const parts = kept.flatMap(([start, end], index) => [
    index === 0 ? Uint8Array.of(openBracket) : Uint8Array.of(comma),
    bytes.subarray(start, end),
  ]);
  return joinBytes([...parts, Uint8Array.of(closeBracket, newline)]);
}

function stringEnd(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
