import { expect, test } from "bun:test";
import { isEqualText } from "#dash/server/equal-text.ts";

test("texts are equal by all of their bytes, and those of other lengths are not compared", () => {
  expect([isEqualText("", ""), isEqualText("aé", "aé")]).toEqual([true, true]);
  expect([isEqualText("a", "b"), isEqualText("a", "ab"), isEqualText("é", "e")]).toEqual([
    false,
    false,
    false,
  ]);
});
