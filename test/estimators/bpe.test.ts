import { expect, test } from "bun:test";
import { byVocabulary } from "#estimators/bpe.ts";
import { forbidden, unitsOnly } from "./support/counters.ts";

test("byVocabulary: every count is the tokenizer's", () => {
  const estimator = byVocabulary("x", "o200k_base", unitsOnly);
  const counting = estimator.begin?.("abcd");
  counting?.advance(4);
  expect([
    estimator.count("ab"),
    estimator.within?.("abc", 3),
    estimator.within?.("abc", 2),
    counting?.tokens,
    estimator.parts.tokens(estimator.parts.units(Buffer.from("né"))),
  ]).toEqual([2, 3, undefined, 4, 2]);
});

test("byVocabulary: no vocabulary is loaded before a text is counted", () => {
  const estimator = byVocabulary("x", "o200k_base", forbidden);
  expect(estimator.count("")).toBe(0);
  expect(() => estimator.count("a")).toThrow("o200k_base was loaded");
});
