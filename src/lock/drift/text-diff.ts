import { diffWordsWithSpace, structuredPatch } from "diff";
import {
  diffContextLines,
  diffEditsMax,
  diffLinesMax,
  diffPlainCharactersMax,
  diffWordEditsMax,
} from "#limits.ts";

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

/** The differences of two texts, with a few equal lines around them. No lines when they are equal. */
export function diffTexts(before: string, after: string): TextDiff {
  const lines = before === after ? [] : rawLines(before, after);
  const shown = lines.slice(0, diffLinesMax);
  return { lines: markWords(shown), omitted_lines: lines.length - shown.length };
}

type RawLine = { readonly sign: DiffLine["sign"]; readonly text: string };

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

/** Pairs each run of removed lines with the added lines that follow it, when they are as many. */
function markWords(lines: readonly RawLine[]): DiffLine[] {
  const marked: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runAt(lines, at, "-");
    const added = runAt(lines, at + removed.length, "+");
    if (removed.length > 0 && removed.length === added.length) {
      const pairs = removed.map(({ text }, index) => diffWords(text, added[index]?.text ?? ""));
      marked.push(...pairs.map(([before]) => before), ...pairs.map(([, after]) => after));
      at += removed.length + added.length;
    } else {
      const { sign, text } = lines[at] ?? { sign: " ", text: "" };
      marked.push({ sign, parts: [{ text: shortened(text), is_changed: false }] });
      at += 1;
    }
  }
  return marked;
}

function runAt(lines: readonly RawLine[], from: number, sign: RawLine["sign"]): readonly RawLine[] {
  let to = from;
  while (lines[to]?.sign === sign) to += 1;
  return lines.slice(from, to);
}

function diffWords(before: string, after: string): readonly [DiffLine, DiffLine] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: diffWordEditsMax }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const sideOf = (sign: "-" | "+"): DiffLine => ({
    sign,
    parts: changes
      .filter(({ added, removed }) => !(sign === "-" ? added : removed))
      .map(({ value, added, removed }) => ({
        text: shortened(value),
        is_changed: added || removed,
      })),
  });
  return [sideOf("-"), sideOf("+")];
}

/** A long part without its middle. */
function shortened(text: string): string {
  if (text.length <= diffPlainCharactersMax) return text;
  const half = diffPlainCharactersMax / 2;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
