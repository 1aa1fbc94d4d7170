import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { words } from "#tokens/estimators/characters.ts";

test.each([
  ["", 0],
  [" \n\t", 0],
  ["the", 1],
  ["four", 1],
  ["sixsix", 2],
  ["sevense", 2],
  ["eighteig", 2],
  ["ninenined", 3],
  ["  the quick\nbrown  ", 3],
])("words: %j is %i tokens", (text, tokens) => {
  expect(words().count(text)).toBe(tokens);
});

test("words: cuts where a regular expression's white space does", () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  for (const unit of units) expect(words().count(`a${unit}a`)).toBe(/\s/.test(unit) ? 2 : 1);
});

test("words: is the sum over words", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^\S{1,20}$/)), (list) => {
      const separately = list.map((word) => words().count(word));
      expect(words().count(list.join(" "))).toBe(separately.reduce((sum, count) => sum + count, 0));
    }),
  );
});
