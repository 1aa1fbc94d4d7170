import { expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  diffTexts,
  diffLines,
  type TextDiff,
  diffLinesMax,
  diffSegmentCharactersMax,
} from "#kit/text/difference.ts";

const shown = ({ lines }: TextDiff): string[] =>
  lines.map(({ sign, parts }) => {
    const words = parts.map(({ text, is_changed: isChanged }) => (isChanged ? `[${text}]` : text));
    return `${sign} ${words.join("")}`.trimEnd();
  });

test("diffTexts marks the words of a changed line, with two lines around it", () => {
  const before = "one\ntwo\nthree\nread the whole graph\nfive\nsix\nseven";
  const after = "one\ntwo\nthree\nread the graph, then delete it\nfive\nsix\nseven";
  expect(shown(diffTexts(before, after))).toEqual([
    "  two",
    "  three",
    "- read the [whole ]graph",
    "+ read the graph[, then delete it]",
    "  five",
    "  six",
  ]);
});

test("diffTexts separates places that are far apart, and has nothing of equal texts", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const changed = lines.with(2, "new").toSpliced(25, 1);
  expect(shown(diffTexts(lines.join("\n"), changed.join("\n")))).toEqual([
    "  line 0",
    "  line 1",
    "- [line 2]",
    "+ [new]",
    "  line 3",
    "  line 4",
    "…",
    "  line 23",
    "  line 24",
    "- line 25",
    "  line 26",
    "  line 27",
  ]);
  expect(diffTexts("a\nb", "a\nb")).toEqual({ lines: [], omitted_lines: 0 });
});

test("diffTexts shortens long lines around the change, and says how many lines are left out", () => {
  const long = `${"word ".repeat(400)}end`;
  const [removed] = diffTexts(long, long.replace("end", "stop")).lines;
  expect(removed?.parts[0]?.text.length).toBeLessThanOrEqual(diffSegmentCharactersMax + 3);
  const many = Array.from({ length: 500 }, (_, at) => `${at}`).join("\n");
  const { lines, omitted_lines: omitted } = diffTexts("", many);
  expect([lines.length, lines.length + omitted]).toEqual([diffLinesMax, 500]);
});

const numbered = (seed: number) =>
  Array.from({ length: 20_000 }, (_, at) => `${seed} ${at}`).join("\n");

test("texts that have nothing in common are not searched for it", () => {
  const { lines, omitted_lines: omitted } = diffTexts(numbered(1), numbered(2));
  expect(lines.every(({ sign }) => sign === "-")).toBe(true);
  expect(lines.length + omitted).toBe(40_000);
});

test("the lines of a diff, applied to one text, are the other", () => {
  const word = fc.constantFrom("a", "b", "c", "d e", "`", "\\", "-", "+");
  const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { lines } = diffTexts(before, after);
      const side = (signs: string): string[] =>
        lines
          .filter(({ sign }) => signs.includes(sign))
          .map(({ parts }) => parts.map((part) => part.text).join(""));
      const [was, is] = [side(" -").join("\n"), side(" +").join("\n")];
      expect(before.includes(was) && after.includes(is)).toBe(true);
    }),
  );
});

const joinTexts = ({ lines }: TextDiff): string[] =>
  lines.map(({ parts }) => parts.map(({ text }) => text).join(""));

const manyWords = (letter: string): string =>
  Array.from({ length: 600 }, (_, at) => `${letter}${at}`).join(" ");

test("diffTexts begins a little before the difference of two lines that differ in too many words", () => {
  const [begin, end] = ["begin ".repeat(40), " end".repeat(40)];
  const [before, after] = ["a", "b"].map((letter) => `${begin}${manyWords(letter)}${end}`);
  const [was, is] = joinTexts(diffTexts(before ?? "", after ?? ""));
  expect(was).toMatch(/^….* a0 a1 .*…$/);
  expect(is).toMatch(/^….* b0 b1 .*…$/);
});

test.each([
  ["a space at the end", "Search first.", "Search first. ", "Search first.␠"],
  ["a line break at the end", "Search first.", "Search first.\n", "Search first.␤"],
  ["a space more", "Search first.", "Search  first.", "Search␠␠first."],
])("diffTexts marks white space where nothing else differs: %s", (_, before, after, line) => {
  const [was, is] = joinTexts(diffTexts(before, after));
  expect(is).toBe(line);
  expect(was).not.toBe(line);
});

test("diffTexts marks no space that a word replaces", () => {
  expect(joinTexts(diffTexts("base64 encoded", "base64-encoded"))).toEqual([
    "base64 encoded",
    "base64-encoded",
  ]);
});

test("an empty line that was removed is not shown as added", () => {
  expect(shown(diffTexts("a\n\nb\n", "a\nb\n"))).toEqual(["  a", "-", "  b"]);
});

test("texts that are too different to be compared gain no empty line", () => {
  const [as, bs] = ["a\n".repeat(1_500), "b\n".repeat(1_500)];
  expect(diffLines(as, bs).length).toBe(3_000);
  expect(new Set(diffLines("", bs).map(({ sign, text }) => sign + text))).toEqual(new Set(["+b"]));
});
