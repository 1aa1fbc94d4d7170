import { secretCharactersMax } from "#limits/definitions.ts";
import { findValue, type TextRange } from "./find-value.ts";

/** Removes secrets from a text of the server. */
export type Redact = (text: string) => string;

/**
 * Replaces each value by the name of its variable, as `${NAME}`, whichever escapes each of its characters is written
 * with, in any normal form of Unicode. Values that overlap are replaced together, by the name of the longest.
 */
export function createRedact(secrets: ReadonlyMap<string, string>): Redact {
  const values = [...secrets].flatMap(([name, value]) =>
    formsOf(value)
      .flatMap(partsOf)
      .map((part) => ({ part, shown: `\${${name}}` })),
  );
  if (values.length === 0) return (text) => text;
  return (text) => {
    const found = values.flatMap(({ part, shown }) =>
      findValue(text, part).map((range) => ({ ...range, shown })),
    );
    return found.length === 0 ? text : replaced(text, joined(found));
  };
}

/**
 * The value, without the white space around it, which servers remove, with the line ends of either system, and the normal forms of
 * Unicode: macOS decomposes file names, and protocols of passwords compose them.
 */
function formsOf(value: string): string[] {
  const unix = value.replaceAll("\r\n", "\n");
  const spaced = [value, unix, unix.replaceAll("\n", "\r\n")].flatMap((one) => [one, one.trim()]);
  const forms = spaced.flatMap((one) => [
    one,
    ...["NFC", "NFD", "NFKC", "NFKD"].map((form) => one.normalize(form)),
  ]);
  return [...new Set(forms)].filter((form) => form !== "");
}

/** A value of any length as parts that are short enough to be found; the last two may overlap. */
function partsOf(value: string): string[] {
  if (value === "") return [];
  const starts: number[] = [];
  for (let start = 0; start + secretCharactersMax < value.length; start += secretCharactersMax) {
    starts.push(start);
  }
  const last = Math.max(0, value.length - secretCharactersMax);
  return [...starts, last].map((start) => value.slice(start, start + secretCharactersMax));
}

/** The place of a value, and the name that replaces it. */
type Found = TextRange & { readonly shown: string };

/** Places in their order; those that overlap as one. */
function joined(found: readonly Found[]): Found[] {
  const sorted = found.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const joint: Found[] = [];
  for (const next of sorted) {
    const last = joint.at(-1);
    if (!last || next.start >= last.end) {
      joint.push(next);
      continue;
    }
    const isLonger = next.end - next.start > last.end - last.start;
    const shown = isLonger ? next.shown : last.shown;
    joint[joint.length - 1] = { start: last.start, end: Math.max(last.end, next.end), shown };
  }
  return joint;
}

function replaced(text: string, found: readonly Found[]): string {
  const kept: string[] = [];
  let end = 0;
  for (const { start, end: next, shown } of found) {
    kept.push(text.slice(end, start), shown);
    end = next;
  }
  return kept.join("") + text.slice(end);
}
