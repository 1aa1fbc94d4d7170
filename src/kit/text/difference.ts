import { displayWidth } from "./columns.ts";
import { escapeLookalikes, escapeUnsafe } from "./unsafe-text.ts";
import { diffWordsWithSpace, structuredPatch } from "diff";

type TextPair = { readonly before: string; readonly after: string };

const [spaceMark, lineBreakMark] = ["␠", "␤"];

/** Marks leading and trailing white space. If the texts differ only in white space, also marks where. */
export function showDifference(pair: TextPair, columnsMax: number): TextPair {
  const { before, after } = hasSameWords(pair) ? markDifferingSpaces(pair) : pair;
  const safe = { before: makeSafe(before), after: makeSafe(after) };
  const excerpt = cutAroundDifference(safe, columnsMax);
  // An excerpt may exceed `columnsMax` by its ellipses. If wide characters (two columns each) make it even wider, it is
  // cut again.
  const isWide = [excerpt.before, excerpt.after].some(
    (text) => displayWidth(text) > Math.max(columnsMax, text.length),
  );
  return isWide ? cutAroundDifference(safe, Math.floor(columnsMax / 2)) : excerpt;
}

export function markBlankText(text: string): string {
  return /^\s+$/u.test(text) ? markBlanks(text) : text;
}

export function markLastBreak({ before, after }: TextPair): TextPair {
  if (before.endsWith("\n") === after.endsWith("\n")) return { before, after };
  return { before: markBreak(before), after: markBreak(after) };
}

export function cutAroundDifference({ before, after }: TextPair, charactersMax: number): TextPair {
  const at = findCommonLength(before, after);
  const lead = Math.floor(charactersMax / 3);
  const isInView = at <= 2 * lead || Math.max(before.length, after.length) <= charactersMax;
  const begin = isInView ? 0 : at - lead;
  return { before: cut(before, begin, charactersMax), after: cut(after, begin, charactersMax) };
}

function hasSameWords({ before, after }: TextPair): boolean {
  return normalizeSpaces(before) === normalizeSpaces(after);
}

function normalizeSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ");
}

function markDifferingSpaces({ before, after }: TextPair): TextPair {
  const begin = findCommonLength(before, after);
  const limit = Math.min(before.length, after.length) - begin;
  let end = 0;
  while (end < limit && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const mark = (text: string): string =>
    text.slice(0, begin) +
    text.slice(begin, text.length - end).replaceAll(/\s+/gu, markBlanks) +
    text.slice(text.length - end);
  return { before: mark(before), after: mark(after) };
}

function makeSafe(text: string): string {
  return escapeUnsafe(escapeLookalikes(text.replaceAll(/^\s+|\s+$/gu, markBlanks)));
}

function markBlanks(blanks: string): string {
  return blanks
    .replaceAll(" ", spaceMark)
    .replaceAll(
      /[^\S\t-\r]/gu,
      (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

function markBreak(text: string): string {
  return text.endsWith("\n") ? `${text.slice(0, -1)}${lineBreakMark}` : text;
}

export function findCommonLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function cut(text: string, begin: number, length: number): string {
  if (begin === 0 && text.length <= length) return text;
  const excerpt = text.slice(begin, begin + length).toWellFormed();
  return `${begin > 0 ? "…" : ""}${excerpt}${text.length > begin + length ? "…" : ""}`;
}

export const diffLinesMax = 200;

const diffContextLines = 2;

// Texts with more edits than this limit take too long to compare, so all their lines count as changed.
const diffEditsMax = 1_000;

const diffWordEditsMax = 200;

// An even number, because half of it is kept at each end of a longer segment.
export const diffSegmentCharactersMax = 160;

export type TextDiff = {
  readonly lines: readonly DiffLine[];
  readonly omitted_lines: number;
};

// `…` stands for unchanged lines that are left out.
export type DiffLine = {
  readonly sign: " " | "-" | "+" | "…";
  readonly parts: readonly DiffPart[];
};

type DiffPart = { readonly text: string; readonly is_changed: boolean };

export type RawLine = { readonly sign: DiffLine["sign"]; readonly text: string };

export function diffTexts(
  before: string,
  after: string,
  charactersMax: number = diffSegmentCharactersMax,
): TextDiff {
  // Without the mark, the diff would hide a missing final newline.
  const marked = markLastBreak({ before, after });
  return makeDiff(diffLines(marked.before, marked.after), charactersMax);
}

export function makeDiff(
  lines: readonly RawLine[],
  charactersMax: number = diffSegmentCharactersMax,
): TextDiff {
  const shown = lines.slice(0, diffLinesMax);
  return {
    lines: pairChangedLines(shown, charactersMax),
    omitted_lines: lines.length - shown.length,
  };
}

export function diffLines(before: string, after: string): RawLine[] {
  const options = { context: diffContextLines, maxEditLength: diffEditsMax };
  const patch = structuredPatch("", "", before, after, "", "", options);
  if (!patch) return [...signLines("-", before), ...signLines("+", after)];
  return patch.hunks.flatMap(({ lines }, at): RawLine[] => {
    const hunk = lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): RawLine => {
        const sign = line.startsWith("-") ? "-" : line.startsWith("+") ? "+" : " ";
        return { sign, text: line.slice(1) };
      });
    return at === 0 ? hunk : [{ sign: "…", text: "" }, ...hunk];
  });
}

function signLines(sign: RawLine["sign"], text: string): RawLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => ({ sign, text: line }));
}

// Compares removed and added lines in pairs, word by word. If their counts differ, pairing stops at the first mismatch:
// a pair whose lines are not the same member of a JSON object.
function pairChangedLines(lines: readonly RawLine[], charactersMax: number): DiffLine[] {
  const makeLine = (line: RawLine): DiffLine => makePlainLine(line, charactersMax);
  const diffed: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = takeRun(lines, at, "-");
    const added = takeRun(lines, at + removed.length, "+");
    const mismatch = removed.findIndex(
      ({ text }, nth) => readPairingKey(text) !== readPairingKey(added[nth]?.text),
    );
    const isAllPaired = removed.length === added.length || mismatch < 0;
    const pairCount = Math.min(isAllPaired ? removed.length : mismatch, added.length);
    const pairs = removed
      .slice(0, pairCount)
      .map(({ text }, nth) => diffWords(text, added[nth]?.text ?? "", charactersMax));
    diffed.push(
      ...pairs.map(([before]) => before),
      ...removed.slice(pairCount).map(makeLine),
      ...pairs.map(([, after]) => after),
      ...added.slice(pairCount).map(makeLine),
    );
    const unchanged = removed.length + added.length === 0 ? lines[at] : undefined;
    if (unchanged) diffed.push(makeLine(unchanged));
    at += removed.length + added.length + (unchanged ? 1 : 0);
  }
  return diffed;
}

function readPairingKey(line: string = ""): string {
  return /^ *"(?:[^"\\]|\\.)*":/.exec(line)?.[0] ?? line;
}

function makePlainLine({ sign, text }: RawLine, charactersMax: number): DiffLine {
  return { sign, parts: [{ text: shorten(text, charactersMax), is_changed: false }] };
}

function takeRun(
  lines: readonly RawLine[],
  from: number,
  sign: RawLine["sign"],
): readonly RawLine[] {
  const following = lines.slice(from);
  const end = following.findIndex((line) => line.sign !== sign);
  return end < 0 ? following : following.slice(0, end);
}

function diffWords(
  before: string,
  after: string,
  charactersMax: number,
): readonly [removed: DiffLine, added: DiffLine] {
  const changes =
    diffWordsWithSpace(before, after, { maxEditLength: diffWordEditsMax }) ??
    replaceAllWords({ before, after }, charactersMax);
  const show = hasSameWords({ before, after }) ? markBlankText : (text: string): string => text;
  const makeLine = (sign: "-" | "+"): DiffLine => ({
    sign,
    parts: changes
      .filter(({ added, removed }) => !(sign === "-" ? added : removed))
      .map(({ value, added, removed }) => ({
        text: shorten(added || removed ? show(value) : value, charactersMax),
        is_changed: added || removed,
      })),
  });
  return [makeLine("-"), makeLine("+")];
}

function replaceAllWords(
  texts: TextPair,
  charactersMax: number,
): readonly { readonly value: string; readonly removed: boolean; readonly added: boolean }[] {
  // Leaves room for two ellipses.
  const shown = cutAroundDifference(texts, charactersMax - 2);
  return [
    { value: shown.before, removed: true, added: false },
    { value: shown.after, removed: false, added: true },
  ];
}

function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const half = charactersMax / 2;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
