import { expect, test } from "bun:test";
import {
  codePointBytes,
  isContinuation,
  longestCodePointBytes,
  paddingBytes,
} from "#tokenizer/utf8.ts";
import { utf8 } from "./support/utf8.ts";

test("paddingBytes cover the two words of a short token and the four of a cached piece", () => {
  expect(paddingBytes).toBeGreaterThanOrEqual(16);
});

test("codePointBytes is the number of bytes a code point has", () => {
  for (const character of ["a", "é", "中", "😀"]) {
    const { bytes, end } = utf8(character);
    expect(codePointBytes(bytes[0] ?? 0)).toBe(end);
    expect(end).toBeLessThanOrEqual(longestCodePointBytes);
  }
});

test("isContinuation is true of every byte but a code point's first", () => {
  const characters = ["a", "é", "中", "😀"];
  expect(characters.map((one) => [...Buffer.from(one)].map(isContinuation))).toEqual([
    [false],
    [false, true],
    [false, true, true],
    [false, true, true, true],
  ]);
});
