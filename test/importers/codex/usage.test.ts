import { expect, test } from "bun:test";
import { usageFrom } from "#importers/codex/usage.ts";

test("cached and written tokens are taken out of the input", () => {
  const usage = {
    input_tokens: 100,
    cached_input_tokens: 70,
    cache_write_input_tokens: 10,
    output_tokens: 9,
    reasoning_output_tokens: 4,
    total_tokens: 272_000,
  };
  expect(usageFrom(usage)).toEqual({
    uncached: 20,
    cacheRead: 70,
    cacheWrite5m: 10,
    cacheWrite1h: 0,
    output: 9,
    reasoning: 4,
  });
  expect(usageFrom({ input_tokens: 1, cached_input_tokens: 5 })?.uncached).toBe(0);
  expect(usageFrom(null)).toBeUndefined();
});
