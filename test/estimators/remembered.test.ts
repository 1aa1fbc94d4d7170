import { describe, expect, test } from "bun:test";
import { remembered } from "#estimators/remembered.ts";
import { rememberedCharactersMax, rememberedTextsMax } from "#limits.ts";

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
