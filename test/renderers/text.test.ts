import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import stringWidth from "string-width";
import { plural, shownCount, shownMs, shownName, shownShare, shownWidth } from "#renderers/text.ts";
import { hostileText, unsafeIn } from "../support/hostile.ts";

describe("shownName", () => {
  const rows: readonly (readonly [raw: string, shown: string])[] = [
    ["search_files", "search_files"],
    ["", ""],
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), `${"x".repeat(39)}…`],
    ["漢".repeat(20), "漢".repeat(20)],
    ["漢".repeat(21), `${"漢".repeat(19)}…`],
    ["a\u001b[31mb", "a\\u001b[31mb"],
    ["e\u0301", "e\u0301"],
  ];
  for (const [raw, shown] of rows) {
    test(`${JSON.stringify(raw.slice(0, 12))} of ${raw.length} is ${shown.slice(0, 12)} of ${shown.length}`, () => {
      expect(shownName(raw)).toBe(shown);
    });
  }

  test("is safe and fits, whatever the name and the width", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (raw, widthMax) => {
        const shown = shownName(raw, widthMax);
        expect(unsafeIn(shown)).toEqual([]);
        expect(stringWidth(shown)).toBeLessThanOrEqual(widthMax);
      }),
    );
  });

  test("marks do not pile up", () => {
    expect(shownName(`e${"\u0301".repeat(30)}`).length).toBeLessThanOrEqual(5);
  });
});

test("counts have commas", () => {
  const counts = [0, 7, 999, 1_000, 18_220, 1_234_567, 999.6].map(shownCount);
  expect(counts).toEqual(["0", "7", "999", "1,000", "18,220", "1,234,567", "1,000"]);
});

test("shares have a digit below ten percent", () => {
  expect([0, 0.0004, 0.0999, 0.1, 0.123, 1, 12].map(shownShare)).toEqual([
    "0.0 %",
    "0.0 %",
    "10.0 %",
    "10 %",
    "12 %",
    "100 %",
    "1200 %",
  ]);
});

test("milliseconds have a digit below ten", () => {
  expect([0, 0.04, 9.94, 12.4, 12_345].map(shownMs)).toEqual(["0.0", "0.0", "9.9", "12", "12,345"]);
});

test("one thing, several things", () => {
  expect([plural(1, "tool"), plural(0, "tool"), plural(1_200, "tool")]).toEqual([
    "1 tool",
    "0 tools",
    "1,200 tools",
  ]);
});

test("a width is of columns", () => {
  expect(["abc", "漢字", ""].map(shownWidth)).toEqual([3, 4, 0]);
});
