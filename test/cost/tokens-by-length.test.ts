import { expect, test } from "bun:test";
import { tokensByLength } from "#cost/tokens-by-length.ts";

test.each([
  [0, 0],
  [1, 1],
  [4, 1],
  [5, 2],
  [8_388_608, 2_097_152],
])("tokensByLength: %d characters are %d tokens", (length, tokens) => {
  expect(tokensByLength(length)).toBe(tokens);
});
