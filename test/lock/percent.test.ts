import { expect, test } from "bun:test";
import { percentOf } from "#lock/percent.ts";

test.each([
  [1, 3, 33.33],
  [2, 3, 66.67],
  [5, 5, 100],
  [0, 5, 0],
  [5, 0, 0],
])("percentOf %d in %d is %d", (tokens, whole, percent) => {
  expect(percentOf(tokens, whole)).toBe(percent);
});
