import { expect, test } from "bun:test";
import { loggedTokens } from "#importers/opencode/logged-tokens.ts";

const tokens = { input: 100, output: 30, reasoning: 12, cache: { read: 5, write: 3 } };

test.each([
  ["newer: excluded, as the total says", { ...tokens, total: 150 }, 42, false],
  ["older: included, as the total says", { ...tokens, total: 138 }, 30, false],
  ["unknown without a total", tokens, 42, true],
  ["known without reasoning", { ...tokens, reasoning: 0 }, 30, false],
])("reasoning is %s", (_, logged, output, isApproximate) => {
  expect(loggedTokens(logged)).toMatchObject({
    usage: { uncached: 100, cacheRead: 5, cacheWrite5m: 3, output },
    isApproximate,
  });
});

test("an aborted message has none", () => {
  const zero = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  for (const value of [zero, {}, null, 4, { input: -1, output: "9" }]) {
    expect(loggedTokens(value)).toBeUndefined();
  }
});
