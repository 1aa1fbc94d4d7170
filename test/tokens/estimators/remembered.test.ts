import { describe, expect, test } from "bun:test";
import {
  memoizeCount,
  rememberedCharactersMax,
  rememberedTextsMax,
  rememberedTextCharactersMax,
} from "#tokens/estimators/bpe.ts";

function watched() {
  const counted: string[] = [];
  const count = memoizeCount((text) => {
    counted.push(text);
    return text.length;
  });
  return { counted, count };
}

describe("remembered", () => {
  test("counts a short text once, a longer one every time, no text never", () => {
    const { counted, count } = watched();
    const short = "x".repeat(rememberedTextCharactersMax);
    const texts = ["", "a", "a", short, short, `${short}x`, `${short}x`, ""];
    expect(texts.map(count)).toEqual(texts.map((text) => text.length));
    expect(counted).toEqual(["a", short, `${short}x`, `${short}x`]);
  });

  test("forgets the oldest of too many, but not one that comes again and again", () => {
    const { counted, count } = watched();
    count("once");
    for (let at = 0; at < 5 * rememberedTextsMax; at += 1) {
      count(`text ${at}`);
      if (at % 500 === 0) count("again and again");
    }
    counted.length = 0;
    expect([count("once"), count("again and again"), count("text 4999")]).toEqual([4, 15, 9]);
    expect(counted).toEqual(["once"]);
  });

  test("remembers as many texts as its limit allows, and at most twice as many", () => {
    const { counted, count } = watched();
    const texts = Array.from({ length: 3 * rememberedTextsMax }, (_, at) => `${at}`);
    for (const text of texts) count(text);
    counted.length = 0;
    for (const text of texts.slice(-rememberedTextsMax)) count(text);
    expect(counted).toEqual([]);
    for (const text of texts.slice(0, rememberedTextsMax)) count(text);
    expect(counted.length).toBe(rememberedTextsMax);
  });

  test("remembers as many characters as its limit allows, and at most twice as many", () => {
    const { counted, count } = watched();
    const texts = Array.from(
      { length: (3 * rememberedCharactersMax) / rememberedTextCharactersMax },
      (_, at) => `${at}`.padEnd(rememberedTextCharactersMax),
    );
    for (const text of texts) count(text);
    counted.length = 0;
    for (const text of texts.slice(-texts.length / 3)) count(text);
    expect(counted).toEqual([]);
    for (const text of texts.slice(0, texts.length / 3)) count(text);
    expect(counted.length).toBe(texts.length / 3);
  });
});
