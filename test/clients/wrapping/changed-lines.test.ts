import { expect, test } from "bun:test";
import {
  changeMarginCharactersMax,
  changedCharactersMax,
  findChangedLines,
} from "#clients/wrapping/change-text.ts";

test("edits of one line are one change, without the lines around", () => {
  const text = "one\ntwo three\nfour\nfive";
  const edits = [
    { start: 8, end: 13, text: "3" },
    { start: 4, end: 7, text: "2" },
    { start: 19, end: 19, text: "4.5\n" },
  ];
  expect(findChangedLines(text, edits)).toEqual([
    { before: "two three", after: "2 3" },
    { before: "five", after: "4.5\nfive" },
  ]);
});

const long = (length: number) =>
  findChangedLines("x".repeat(length), [{ start: 1_000, end: 1_001, text: "-" }]);

test("of a long line the surroundings of a change are shown", () => {
  expect(long(changedCharactersMax)[0]?.before).toHaveLength(changedCharactersMax);
  const shown = long(changedCharactersMax + 1)[0];
  expect(shown?.before).toHaveLength(2 * changeMarginCharactersMax + 1);
  expect(shown?.after).toBe(
    `${"x".repeat(changeMarginCharactersMax)}-${"x".repeat(changeMarginCharactersMax)}`,
  );
});
