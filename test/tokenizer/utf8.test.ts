import { expect, test } from "bun:test";
import { PADDING_BYTES } from "#tokenizer/utf8.ts";

test("PADDING_BYTES cover the two words of a short token and the four of a cached piece", () => {
  expect(PADDING_BYTES).toBeGreaterThanOrEqual(16);
});
