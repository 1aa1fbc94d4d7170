import { describe, expect, test } from "bun:test";
import { needsMore, noOffset, PausedRun } from "#tokens/tokenizer/text-count.ts";
import {
  findContractionEnd,
  findNumberEnd,
  findSpacesEnd,
  findSymbolsEnd,
} from "#tokens/tokenizer/tokenizer.ts";
import { vocabulary } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";

const run = new PausedRun(await vocabulary("o200k_base"));
const cl100k = new PausedRun(await vocabulary("cl100k_base"));

test.each([
  ["1", 1],
  ["12345", 3],
  ["1a", 1],
  ["½½½½", 6],
])("findNumberEnd of %j is %d", (text, end) => {
  expect(findNumberEnd(utf8(text), 0, run)).toBe(end);
});

test.each([
  ["!!a", 2],
  ["!!\n\r/x", 5],
  ["!\u0301!", 4],
  ["! ", 1],
])("findSymbolsEnd of %j is %d", (text, end) => {
  expect(findSymbolsEnd(utf8(text), 0, run)).toBe(end);
});

test("findSymbolsEnd of cl100k_base has no slash behind a newline", () => {
  expect(findSymbolsEnd(utf8("!/\n/x"), 0, cl100k)).toBe(3);
});

test.each([
  [" ", 1],
  ["   ", 3],
  ["   x", 2],
  [" x", 1],
  [" \n  x", 2],
  [" \n \r\n", 5],
  ["\u3000\u3000x", 3],
])("findSpacesEnd of %j is %d", (text, end) => {
  expect(findSpacesEnd(utf8(text), 0, run, noOffset)).toBe(end);
});

test.each([
  ["'s", 2],
  ["'Sx", 2],
  ["'ſ", 3],
  ["'rE", 3],
  ["'r", 0],
  ["'lL", 3],
  ["'K", 0],
  ["'", 0],
  ["s", 0],
])("findContractionEnd of %j is %d", (text, end) => {
  expect(findContractionEnd(utf8(text), 0)).toBe(end);
});

describe("a run that meets the end of the bytes in memory needs more of a text that goes on", () => {
  test("every kind", () => {
    expect(findNumberEnd(utf8("12", false), 0, run)).toBe(needsMore);
    expect(findSymbolsEnd(utf8("!!", false), 0, run)).toBe(needsMore);
    expect(findSpacesEnd(utf8("  ", false), 0, run, noOffset)).toBe(needsMore);
    expect(findContractionEnd(utf8("'l", false), 0)).toBe(needsMore);
  });

  test("a number of three digits does not", () => {
    expect(findNumberEnd(utf8("123", false), 0, run)).toBe(3);
  });
});
