import { diffArrays, diffWordsWithSpace, structuredPatch } from "diff";
import {
  diffContextLines,
  diffEditsMax,
  diffLinesMax,
  diffPlainCharactersMax,
  diffWordEditsMax,
} from "#limits/definitions.ts";
import { aroundDifference, hasSameWords, markLastBreak, markWhiteSpace } from "#text/difference.ts";

/** Two texts compared line by line. */
export type TextDiff = {
  readonly lines: readonly DiffLine[];
  /** Lines that a limit left out. */
  readonly omitted_lines: number;
};

/** A line that both texts have (` `), that was removed (`-`) or added (`+`); `…` stands for equal lines. */
export type DiffLine = {
  readonly sign: " " | "-" | "+" | "…";
  readonly parts: readonly DiffPart[];
};

/** A part of a line; where both sides have a line, the words that differ are marked. */
type DiffPart = { readonly text: string; readonly is_changed: boolean };

/** A line of a diff, before its words are compared. */
export type RawLine = { readonly sign: DiffLine["sign"]; readonly text: string };

/** The differences of two texts, with a few equal lines around them. No lines when they are equal. */
export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return diffFrom([]);
  // Lines say nothing of the last line break.
  const marked = markLastBreak({ before, after });
  return diffFrom(rawLines(marked.before, marked.after));
}

/** A diff of lines that were compared elsewhere: up to a limit, with the words that differ marked. */
export function diffFrom(lines: readonly RawLine[]): TextDiff {
  const shown = lines.slice(0, diffLinesMax);
  return { lines: markWords(shown), omitted_lines: lines.length - shown.length };
}

/** A run of equal elements of two lists, or of removed and added ones; undefined beyond a limit of edits. */
export function diffLists(
  before: readonly string[],
  after: readonly string[],
): readonly ListRun[] | undefined {
  return diffArrays([...before], [...after], { maxEditLength: diffEditsMax })?.map(
    ({ count, added, removed }) => ({ sign: added ? "+" : removed ? "-" : " ", count }),
  );
}

/** `count` elements of one list, or of both. */
type ListRun = { readonly sign: " " | "-" | "+"; readonly count: number };

/** Texts that differ in more lines than is worth comparing are all removed and all added. */
function rawLines(before: string, after: string): RawLine[] {
  const options = { context: diffContextLines, maxEditLength: diffEditsMax };
  const patch = structuredPatch("", "", before, after, "", "", options);
  if (!patch) {
    const removed = before.split("\n").map((text): RawLine => ({ sign: "-", text }));
    return [...removed, ...after.split("\n").map((text): RawLine => ({ sign: "+", text }))];
  }
  return patch.hunks.flatMap(({ lines }, at): RawLine[] => {
    const inside = lines.filter((line) => !line.startsWith("\\")).map(rawLine);
    return at === 0 ? inside : [{ sign: "…", text: "" }, ...inside];
  });
}

function rawLine(line: string): RawLine {
  const sign = line.startsWith("-") ? "-" : line.startsWith("+") ? "+" : " ";
  return { sign, text: line.slice(1) };
}

/** Pairs removed lines with the added ones that follow them: all of as many, else those that have the same name. */
function markWords(lines: readonly RawLine[]): DiffLine[] {
  const marked: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runAt(lines, at, "-");
    const added = runAt(lines, at + removed.length, "+");
    const pairs = pairsIn(removed, added).map(([was, is]) => diffWords(was, is));
    marked.push(
      ...pairs.map(([before]) => before),
      ...removed.slice(pairs.length).map(plainLine),
      ...pairs.map(([, after]) => after),
      ...added.slice(pairs.length).map(plainLine),
    );
    at += removed.length + added.length;
    const other = lines[at];
    if (removed.length + added.length === 0 && other) {
      marked.push(plainLine(other));
      at += 1;
    }
  }
  return marked;
}

function pairsIn(
  removed: readonly RawLine[],
  added: readonly RawLine[],
): (readonly [before: string, after: string])[] {
  const pairs = removed.map(({ text }, at) => [text, added[at]?.text ?? ""] as const);
  if (removed.length === added.length) return pairs;
  const end = pairs.findIndex(([was, is]) => nameIn(was) !== nameIn(is));
  return end < 0 ? pairs : pairs.slice(0, end);
}

/** The name of a member with its margin; a line without one is its own. */
function nameIn(line: string): string {
  return /^ *"(?:[^"\\]|\\.)*":/.exec(line)?.[0] ?? line;
}

function plainLine({ sign, text }: RawLine): DiffLine {
  return { sign, parts: [{ text: shortened(text), is_changed: false }] };
}

function runAt(lines: readonly RawLine[], from: number, sign: RawLine["sign"]): readonly RawLine[] {
  let to = from;
  while (lines[to]?.sign === sign) to += 1;
  return lines.slice(from, to);
}

function diffWords(before: string, after: string): readonly [DiffLine, DiffLine] {
  const changes =
    diffWordsWithSpace(before, after, { maxEditLength: diffWordEditsMax }) ??
    wholeChanges(before, after);
  // Between words that differ too, white space needs no mark.
  const show = hasSameWords({ before, after }) ? markWhiteSpace : (text: string): string => text;
  const sideOf = (sign: "-" | "+"): DiffLine => ({
    sign,
    parts: changes
      .filter(({ added, removed }) => !(sign === "-" ? added : removed))
      .map(({ value, added, removed }) => ({
        text: shortened(added || removed ? show(value) : value),
        is_changed: added || removed,
      })),
  });
  return [sideOf("-"), sideOf("+")];
}

/** Two lines that differ in more words than is worth comparing, from a little before their first difference. */
function wholeChanges(
  before: string,
  after: string,
): readonly { readonly value: string; readonly removed: boolean; readonly added: boolean }[] {
  // Two marks stand for the parts that are cut.
  const shown = aroundDifference({ before, after }, diffPlainCharactersMax - 2);
  return [
    { value: shown.before, removed: true, added: false },
    { value: shown.after, removed: false, added: true },
  ];
}

/** A long part without its middle. */
function shortened(text: string): string {
  if (text.length <= diffPlainCharactersMax) return text;
  const half = diffPlainCharactersMax / 2;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
