import { describe, expect, test } from "bun:test";
import { atOnce, byVocabulary, countWithin, once, remembered } from "#estimators/bpe.ts";
import { rememberedCharactersMax, rememberedTextsMax } from "#limits.ts";
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

describe("remembered", () => {
  const counted: string[] = [];
  const count = remembered((text) => {
    counted.push(text);
    return text.length;
  });
  const short = "x".repeat(rememberedCharactersMax);

  test("counts a short text once, a longer one every time, no text never", () => {
    const texts = ["", "a", "a", short, short, `${short}x`, `${short}x`, ""];
    expect(texts.map(count)).toEqual(texts.map((text) => text.length));
    expect(counted).toEqual(["a", short, `${short}x`, `${short}x`]);
  });

  test("forgets when it knows too many", () => {
    for (let at = 0; at < rememberedTextsMax; at += 1) count(`text ${at}`);
    counted.length = 0;
    expect([count("a"), count("text 999")]).toEqual([1, 8]);
    expect(counted).toEqual(["a"]);
  });
});
