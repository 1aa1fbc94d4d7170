import { secretCharactersMin } from "#limits/definitions.ts";
import { mayEscape, decodingsAt } from "./decodings.ts";
import type { Decoding } from "./entities.ts";

/** A part of a text: its first character, and the one after its last. */
export type TextRange = { readonly start: number; readonly end: number };

/**
 * The places of a value in a text, whichever escape each of its characters is written with, from left to right and
 * without overlap. The work is linear in the text. The value is not empty.
 */
export function findValue(text: string, value: string): TextRange[] {
  const search = { text, length: value.length, places: placesIn(value) };
  const { rests, starts } = restsIn(search);
  const ranges: TextRange[] = [];
  for (const start of starts) {
    if (start < (ranges.at(-1)?.end ?? 0)) continue;
    ranges.push({ start, end: endFrom(start, search, rests) });
  }
  return ranges;
}

type Search = {
  readonly text: string;
  /** Units of the value. */
  readonly length: number;
  /** The places of each UTF-16 unit in the value, as bits. */
  readonly places: ReadonlyMap<string, bigint>;
};

/**
 * For each place of the text the rests of the value that it continues with, as bits: bit 0 is the whole value, bit 1 the
 * value without its first unit. The last bit is the empty rest, which fits everywhere.
 */
type Rests = readonly bigint[];

function restsIn({ text, length, places }: Search): { rests: Rests; starts: readonly number[] } {
  const empty = 1n << BigInt(length);
  const rests = Array.from<bigint>({ length: text.length + 1 }).fill(empty);
  const starts: number[] = [];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const unit = text.charAt(at);
    if (!places.has(unit) && !mayEscape(unit)) continue;
    let fitting = empty;
    for (const decoding of decodingsAt(text, at)) {
      fitting |= restsBefore(decoding, rests[at + decoding.length] ?? empty, places);
    }
    rests[at] = fitting;
    if (hasBit(fitting, 0)) starts.push(at);
  }
  return { rests, starts: starts.toReversed() };
}

/** The rests that begin with a decoding and continue with one of `rests`. */
function restsBefore({ units }: Decoding, rests: bigint, places: Search["places"]): bigint {
  let found = rests;
  for (let nth = units.length - 1; nth >= 0; nth -= 1) {
    found = (found >> 1n) & (places.get(units.charAt(nth)) ?? 0n);
  }
  return found;
}

/** The furthest end of the value that starts here: `\\u0075` is two characters of it, or seven. */
function endFrom(start: number, { text, length, places }: Search, rests: Rests): number {
  const reached = Array.from({ length: length + 1 }, () => new Set<number>());
  reached[0]?.add(start);
  for (let read = 0; read < length; read += 1) {
    for (const at of reached[read] ?? []) {
      for (const decoding of decodingsAt(text, at)) {
        const next = at + decoding.length;
        const fits = hasBit(restsBefore(decoding, rests[next] ?? 0n, places), read);
        if (fits) reached[read + decoding.units.length]?.add(next);
      }
    }
  }
  return Math.max(start + 1, ...(reached[length] ?? []));
}

function hasBit(bits: bigint, at: number): boolean {
  return ((bits >> BigInt(at)) & 1n) === 1n;
}

/**
 * Half of a pair is also found as U+FFFD: it cannot be encoded. The letters of a token are found in either case: UUIDs and
 * hexadecimal digits are often written in the other one.
 */
function placesIn(value: string): ReadonlyMap<string, bigint> {
  const places = new Map<string, bigint>();
  const encoded = value.toWellFormed();
  const isToken = value.length >= secretCharactersMin && /\d/.test(value);
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charAt(at);
    const cases = isToken ? [unit.toLowerCase(), unit.toUpperCase()] : [];
    for (const one of new Set([unit, encoded.charAt(at), ...cases])) {
      places.set(one, (places.get(one) ?? 0n) | (1n << BigInt(at)));
    }
  }
  return places;
}
