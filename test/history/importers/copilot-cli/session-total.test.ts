import { expect, test } from "bun:test";
import { sessionTotal } from "#history/importers/copilot-cli/reader.ts";
import { importedModelsMax } from "#history/limits.ts";
import { plainTools } from "../../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };

test("the sum of a session has its models, at most so many as the limit", () => {
  const usage = { inputTokens: 10, cacheReadTokens: 4, outputTokens: 2 };
  expect(sessionTotal({ modelMetrics: { m: { usage } } }, tools)).toMatchObject([
    { model: "m", usage: { uncached: 6, cacheRead: 4, output: 2 } },
  ]);
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, { usage }]));
  expect(sessionTotal({ modelMetrics: many(importedModelsMax + 1) }, tools)).toHaveLength(
    importedModelsMax,
  );
  for (const odd of [null, [], { m: null }, { m: { usage: 4 } }]) {
    expect(sessionTotal({ modelMetrics: odd }, tools)).toEqual([]);
  }
});
