import { diffArrays, diffWordsWithSpace, structuredPatch } from "diff";
import {
  diffContextLines,
  diffEditsMax,
  diffLinesMax,
  diffPlainCharactersMax,
  diffWordEditsMax,
} from "#limits/definitions.ts";
import { aroundDifference, hasSameWords, markLastBreak, markWhiteSpace } from "#text/difference.ts";

export type TextDiff = {
  readonly lines: readonly DiffLine[];
  readonly omitted_lines: number;
};

/** ` ` unchanged, `-` removed, `+` added, `…` for a run of equal lines. */
export type DiffLine = {
  readonly sign: " " | "-" | "+" | "…";
  readonly parts: readonly DiffPart[];
};

type DiffPart = { readonly text: string; readonly is_changed: boolean };

export type RawLine = { readonly sign: DiffLine["sign"]; readonly text: string };

/** With a few equal lines around them; no lines when equal. */
export function diffTexts(before: string, after: string): TextDiff {
  if (before === after) return diffFrom([]);
  // Lines say nothing of the last line break.
  const marked = markLastBreak({ before, after });
  return diffFrom(rawLines(marked.before, marked.after));
}

export function diffFrom(lines: readonly RawLine[]): TextDiff {
  const shown = lines.slice(0, diffLinesMax);
  return { lines: markWords(shown), omitted_lines: lines.length - shown.length };
}

/** Runs in order; undefined beyond a limit of edits. */
export function diffLists(
  before: readonly string[],
  after: readonly string[],
): readonly ListRun[] | undefined {
  return diffArrays([...before], [...after], { maxEditLength: diffEditsMax })?.map(
    ({ count, added, removed }) => ({ sign: added ? "+" : removed ? "-" : " ", count }),
  );
}

type ListRun = { readonly sign: " " | "-" | "+"; readonly count: number };

// Too many edits to compare: all removed, all added.
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

// Equal numbers of removed and added lines are paired in order, else by name.
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

/** With its margin; a line without a name is its name. */
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

/** Too many differing words: all from shortly before the first. */
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

function shortened(text: string): string {
  if (text.length <= diffPlainCharactersMax) return text;
  const half = diffPlainCharactersMax / 2;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
