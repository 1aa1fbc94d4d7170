import { expect, test } from "bun:test";
import { chars3 } from "#estimators/chars3.ts";

test.each([
  [0, 0],
  [1, 1],
  [3, 1],
  [4, 2],
])("chars3: %i characters are %i tokens", (length, tokens) => {
  expect(chars3().count("ã".repeat(length))).toBe(tokens);
});
