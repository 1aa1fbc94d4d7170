import { describe, expect, test } from "bun:test";
import { assert as assertProperty, constantFrom, pre, property, string } from "fast-check";
import {
  cutAroundDifference,
  markLastBreak,
  markBlankText,
  showDifference,
} from "#kit/text/difference.ts";
import { displayWidth } from "#kit/text/columns.ts";

const shown = (before: string, after: string, columns = 48): readonly [string, string] => {
  const pair = showDifference({ before, after }, columns);
  return [pair.before, pair.after];
};

test.each([
  ["a word", "Reads a file", "Reads a folder", ["Reads a file", "Reads a folder"]],
  ["a space at the end", "Reads", "Reads ", ["Reads", "Reads␠"]],
  ["a space at the beginning", " Reads", "Reads", ["␠Reads", "Reads"]],
  ["a second space", "a b", "a  b", ["a b", "a ␠b"]],
  ["a space that is not one", "a b", "a\u00a0b", ["a␠b", "a\\u00a0b"]],
  ["a line break for a space", "a b", "a\nb", ["a␠b", "a\\u000ab"]],
  ["a line break at the end", "a", "a\n", ["a", "a\\u000a"]],
  ["words, and a space at the end", "a b", "c d ", ["a b", "c d␠"]],
  ["an invisible character", "ab", "a\u200bb", ["ab", "a\\u200bb"]],
])("showDifference shows %s", (_, before, after, expected) => {
  expect(shown(before, after)).toEqual(expected as [string, string]);
});

describe("showDifference of long texts", () => {
  const long = "x".repeat(500);

  test("keeps the beginning while the difference is near it", () => {
    const [before, after] = shown(`ab${long}`, `ac${long}`);
    expect(before).toBe(`ab${"x".repeat(46)}…`);
    expect(after).toBe(`ac${"x".repeat(46)}…`);
  });

  test("begins a little before a difference that is further on", () => {
    expect(shown(`${long} old ${long}`, `${long} new ${long}`)).toEqual([
      `…${"x".repeat(15)} old ${"x".repeat(28)}…`,
      `…${"x".repeat(15)} new ${"x".repeat(28)}…`,
    ]);
    expect(shown(long, `${long} `)).toEqual([`…${"x".repeat(16)}`, `…${"x".repeat(16)}␠`]);
  });

  test("is no wider where only the difference has wide characters", () => {
    for (const text of shown(`${long}${"漢".repeat(60)}a`, `${long}${"漢".repeat(60)}b`))
      expect(displayWidth(text)).toBeLessThanOrEqual(50);
  });

  test("differs in its first columns wherever two texts differ, also with wide characters", () => {
    const text = string({
      unit: constantFrom("a", " ", "漢", "\n", "😀", "\u202e"),
      maxLength: 120,
    });
    assertProperty(
      property(text, text, text, (start, a, b) => {
        pre(a !== b);
        const [before, after] = shown(start + a, start + b);
        expect(firstColumns(before)).not.toBe(firstColumns(after));
      }),
    );
  });
});

function firstColumns(text: string): string {
  if (displayWidth(text) <= 48) return text;
  let end = text.length;
  while (displayWidth(text.slice(0, end)) > 47) end -= 1;
  return text.slice(0, end);
}

test("cutAroundDifference leaves short texts, and cuts no character in half", () => {
  const short = { before: "a\ud800", after: "b" };
  expect(cutAroundDifference(short, 10)).toEqual(short);
  const { before } = cutAroundDifference(
    { before: `${"😀".repeat(100)}a`, after: `${"😀".repeat(100)}b` },
    31,
  );
  expect(before.isWellFormed()).toBe(true);
  expect(before).toEndWith("a");
});

test("markBlankText marks white space and leaves anything else", () => {
  expect(markBlankText("  ")).toBe("␠␠");
  expect(markBlankText("\u2003")).toBe("\\u2003");
  expect(markBlankText(" a ")).toBe(" a ");
  expect(markBlankText("")).toBe("");
});

test("markLastBreak marks a line break that one text alone ends with", () => {
  expect(markLastBreak({ before: "a\n", after: "a" })).toEqual({ before: "a␤", after: "a" });
  expect(markLastBreak({ before: "a\n", after: "b\n" })).toEqual({ before: "a\n", after: "b\n" });
});
