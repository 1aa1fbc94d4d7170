import { diffWordsWithSpace, structuredPatch } from "diff";
import { aroundDifference, hasSameWords, markLastBreak, markWhiteSpace } from "./difference.ts";

export const diffLinesMax = 200;

// Enough to see which parameter a difference belongs to.
const diffContextLines = 2;

// The search takes the square of it; beyond it both texts are shown whole.
const diffEditsMax = 1_000;

// Beyond it whole lines are marked.
const diffWordEditsMax = 200;

// Longer parts lose their middle; an even number.
export const diffPlainCharactersMax = 160;

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

export function diffTexts(before: string, after: string): TextDiff {
  // Lines say nothing of the last line break.
  const marked = markLastBreak({ before, after });
  return diffFrom(diffLines(marked.before, marked.after));
}

export function diffFrom(lines: readonly RawLine[]): TextDiff {
  const shown = lines.slice(0, diffLinesMax);
  return { lines: markWords(shown), omitted_lines: lines.length - shown.length };
}

export function diffLines(before: string, after: string): RawLine[] {
  const options = { context: diffContextLines, maxEditLength: diffEditsMax };
  const patch = structuredPatch("", "", before, after, "", "", options);
  // Too many edits to compare: all removed, all added.
  if (!patch) return [...signed("-", before), ...signed("+", after)];
  return patch.hunks.flatMap(({ lines }, at): RawLine[] => {
    const inside = lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): RawLine => {
        const sign = line.startsWith("-") ? "-" : line.startsWith("+") ? "+" : " ";
        return { sign, text: line.slice(1) };
      });
    return at === 0 ? inside : [{ sign: "…", text: "" }, ...inside];
  });
}

function signed(sign: RawLine["sign"], text: string): RawLine[] {
  return text.split("\n").map((line) => ({ sign, text: line }));
}

// Removed lines are paired with the added lines below them: all if they are as many, else those of the same name.
function markWords(lines: readonly RawLine[]): DiffLine[] {
  const marked: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runAt(lines, at, "-");
    const added = runAt(lines, at + removed.length, "+");
    const end = removed.findIndex(({ text }, nth) => nameIn(text) !== nameIn(added[nth]?.text));
    const count = removed.length === added.length || end < 0 ? removed.length : end;
    const pairs = removed
      .slice(0, count)
      .map(({ text }, nth) => diffWords(text, added[nth]?.text ?? ""));
    marked.push(
      ...pairs.map(([before]) => before),
      ...removed.slice(count).map(plainLine),
      ...pairs.map(([, after]) => after),
      ...added.slice(count).map(plainLine),
    );
    const other = removed.length + added.length === 0 ? lines[at] : undefined;
    if (other) marked.push(plainLine(other));
    at += removed.length + added.length + (other ? 1 : 0);
  }
  return marked;
}

function nameIn(line: string = ""): string {
  return /^ *"(?:[^"\\]|\\.)*":/.exec(line)?.[0] ?? line;
}

function plainLine({ sign, text }: RawLine): DiffLine {
  return { sign, parts: [{ text: shortened(text), is_changed: false }] };
}

function runAt(lines: readonly RawLine[], from: number, sign: RawLine["sign"]): readonly RawLine[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => line.sign !== sign);
  return end < 0 ? rest : rest.slice(0, end);
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
