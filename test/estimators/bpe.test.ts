import { expect, test } from "bun:test";
import { atOnce, byVocabulary, countWithin, once } from "#estimators/bpe.ts";
import { unitsOnly } from "./support/counters.ts";

test("once: builds on first use and never again", () => {
  let built = 0;
  const value = once(() => (built += 1));
  expect(built).toBe(0);
  expect([value(), value(), built]).toEqual([1, 1, 1]);
});

test("atOnce: is complete after one step", () => {
  const counting = atOnce(() => 7);
  expect(counting.tokens).toBe(0);
  expect([counting.advance(), counting.tokens]).toEqual([true, 7]);
});

test("countWithin: below zero nothing fits", () => {
  const counter = { count: (text: string) => text.length };
  expect(countWithin(counter, "", -1)).toBeUndefined();
  expect(countWithin(counter, "ab", 2)).toBe(2);
  expect(countWithin(counter, "abc", 2)).toBeUndefined();
});

test("byVocabulary: one tokenizer for all counts", () => {
  let built = 0;
  const estimator = byVocabulary("x", "o200k_base", {
    tokenizer: (encoding) => {
      built += 1;
      return unitsOnly.tokenizer(encoding);
    },
  });
  expect([estimator.count("ab"), estimator.within?.("abc", 9), built]).toEqual([2, 3, 1]);
});
