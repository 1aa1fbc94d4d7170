import { expect, test } from "bun:test";
import { chars3Point5 } from "#estimators/chars3.5.ts";

test.each([
  [0, 0],
  [1, 1],
  [3, 1],
  [4, 2],
  [7, 2],
  [8, 3],
])("chars3.5: %i characters are %i tokens", (length, tokens) => {
  expect(chars3Point5().count("x".repeat(length))).toBe(tokens);
});
