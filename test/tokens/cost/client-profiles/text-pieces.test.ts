import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  countBytes,
  countCharacters,
  splitEnds,
  formatFileSize,
  cutLines,
  makeTextPart,
  formatKilobytes,
  pickMedia,
  joinText,
  replaceTexts,
} from "#tokens/cost/client-profiles/common.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";

const image: Part = { kind: "image", size: undefined, bytes: 3 };
const parts = [makeTextPart("né"), image, makeTextPart("b")];

test("sizes are those of the text", () => {
  expect([joinText(parts), countCharacters(parts), countBytes(parts)]).toEqual(["néb", 3, 4]);
  expect(pickMedia(parts)).toEqual([image]);
  expect(replaceTexts(parts, "c")).toEqual([makeTextPart("c"), image]);
  expect([formatKilobytes(8_044), formatKilobytes(8_044, " ")]).toEqual(["7.9KB", "7.9 KB"]);
  expect([1, 1_023, 1_024].map(formatFileSize)).toEqual(["1 byte", "1,023 bytes", "1.0KB"]);
});

describe("splitEnds", () => {
  test("cuts between two characters", () => {
    expect(splitEnds("aé漢b", 2, 2)).toEqual({ head: "a", tail: "b" });
    expect(splitEnds("aé漢b", 3, 4)).toEqual({ head: "aé", tail: "漢b" });
  });

  test("never shows a byte twice, nor more than asked for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 40 }), (text, bytes) => {
        const { head, tail } = splitEnds(text, bytes, bytes);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThanOrEqual(text.length);
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(bytes);
      }),
    );
  });
});

describe("cutLines", () => {
  test.each([
    ["a\nb\nc", 9, 9, "a\nb\nc"],
    ["a\nb\nc", 3, 9, "a\nb"],
    ["a\nb\nc", 4, 9, "a\nb"],
    ["a\nb\nc", 9, 2, "a\nb"],
    ["abcd", 3, 9, ""],
    ["", 3, 9, ""],
    ["\n\nab", 3, 9, "\n"],
  ])("of %j in %i bytes and %i lines is %j", (text, bytes, lines, expected) => {
    expect(cutLines(text, bytes, lines)).toBe(expected);
  });
});
