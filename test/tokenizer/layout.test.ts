import { expect, test } from "bun:test";
import {
  headerWords,
  noRank,
  sectionNumbers,
  sectionWord,
  stampWord,
  stampWords,
} from "#tokenizer/layout.ts";

test("the header has room for offset and length of each section, behind the stamp", () => {
  const numbers: number[] = Object.values(sectionNumbers);
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(sectionWord + numbers.length * 2).toBeLessThanOrEqual(headerWords);
  expect(stampWord + stampWords).toBeLessThanOrEqual(sectionWord);
});

test("noRank is above every rank of both encodings", () => {
  expect(noRank).toBeGreaterThan(199_998);
});
