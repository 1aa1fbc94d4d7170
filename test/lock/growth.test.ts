import { expect, test } from "bun:test";
import { allowedTokens, type Growth } from "#lock/growth.ts";

test.each([
  [100, { share: 0.1 }, 110],
  [99, { share: 0.1 }, 108],
  [100, { share: 0 }, 100],
  [100, { tokens: 5 }, 105],
  [0, { share: 9 }, 0],
] as [number, Growth, number][])("allowedTokens of %d with %j is %d", (tokens, growth, allowed) => {
  expect(allowedTokens(tokens, growth)).toBe(allowed);
});
