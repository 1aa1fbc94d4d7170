import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import stringWidth from "string-width";
import { clip, displayWidth } from "#kit/text/columns.ts";
import { hostileText, findUnsafeText } from "../../support/hostile.ts";

describe("clip", () => {
  const rows: readonly (readonly [raw: string, clipped: string])[] = [
    ["search_files", "search_files"],
    ["", ""],
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), `${"x".repeat(39)}…`],
    ["漢".repeat(20), "漢".repeat(20)],
    ["漢".repeat(21), `${"漢".repeat(19)}…`],
    ["😀".repeat(21), `${"😀".repeat(19)}…`],
    ["a\u001b[31mb", "a\\u001b[31mb"],
    ["e\u0301", "e\u0301"],
  ];
  for (const [raw, clipped] of rows) {
    test(`${JSON.stringify(raw.slice(0, 12))} of ${raw.length} is ${clipped.slice(0, 12)} of ${clipped.length}`, () => {
      expect(clip(raw)).toBe(clipped);
    });
  }

  test("is safe and fits, whatever the text and the width", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (raw, columnsMax) => {
        const clipped = clip(raw, columnsMax);
        expect(findUnsafeText(clipped)).toEqual([]);
        expect(stringWidth(clipped)).toBeLessThanOrEqual(columnsMax);
      }),
    );
  });

  test("leaves no room unused", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 60 }), (raw, columnsMax) => {
        const wanted = Math.min(raw.length, columnsMax);
        expect(displayWidth(clip(raw, columnsMax))).toBe(wanted);
      }),
    );
  });

  test("keeps four combining marks on one character", () => {
    expect(clip(`e${"\u0301".repeat(30)}`)).toBe(`e${"\u0301".repeat(4)}`);
  });
});

test("displayWidth is in columns", () => {
  expect(["abc", "漢字", ""].map(displayWidth)).toEqual([3, 4, 0]);
});
