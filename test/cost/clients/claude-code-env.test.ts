import { expect, test } from "bun:test";
import { clientCutTokens } from "#cost/clients/claude-code-env.ts";

test.each([
  ["25000", 25_000],
  [" 50000 ", 50_000],
  ["0", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["many", undefined],
  ["", undefined],
  ["9".repeat(20), undefined],
])("MAX_MCP_OUTPUT_TOKENS=%j is %p", (value, expected) => {
  expect(clientCutTokens({ MAX_MCP_OUTPUT_TOKENS: value })).toBe(expected);
});

test("MAX_MCP_OUTPUT_TOKENS that is not set is undefined", () => {
  expect(clientCutTokens({})).toBeUndefined();
});
