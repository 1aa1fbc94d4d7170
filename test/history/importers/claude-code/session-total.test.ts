import { expect, test } from "bun:test";
import { sessionTotal } from "#history/importers/claude-code/reader.ts";
import { importedModelsMax } from "#history/limits.ts";

test("the sum of each model has both kinds of cache writes", () => {
  const usage = {
    inputTokens: 1,
    outputTokens: 2,
    thinkingTokens: 3,
    cacheReadInputTokens: 4,
    cacheCreationInputTokens: 9,
    cacheCreationEphemeral1hInputTokens: 5,
    costUSD: 1,
  };
  expect(sessionTotal({ modelUsage: { opus: usage, odd: null } })).toEqual([
    {
      model: "opus",
      usage: {
        uncached: 1,
        cacheRead: 4,
        cacheWrite5m: 4,
        cacheWrite1h: 5,
        output: 2,
        reasoning: 3,
      },
    },
    expect.objectContaining({ model: "odd" }),
  ]);
  expect(sessionTotal({ modelUsage: "x" })).toEqual([]);
});

const models = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, {}]));

test("the sums of a bounded number of models are read", () => {
  expect(sessionTotal({ modelUsage: models(importedModelsMax) })).toHaveLength(importedModelsMax);
  expect(sessionTotal({ modelUsage: models(importedModelsMax + 1) })).toHaveLength(
    importedModelsMax,
  );
});
