import { expect, test } from "bun:test";
import { messageEvents } from "#history/importers/gemini-cli/reader.ts";
import type { JsonObject } from "#wire/json.ts";
import { plainTools } from "../../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const events = (message: JsonObject) => messageEvents(message, { at: 5, conversation: "s" }, tools);

test("input holds the cached part, output does not hold the thoughts", () => {
  const tokens = { input: 100, cached: 30, tool: 7, output: 20, thoughts: 5, total: 132 };
  expect(events({ id: "g", model: "m", tokens })).toEqual([
    {
      kind: "request",
      at: 5,
      conversation: "s",
      keys: { message: "s/g", request: null, line: null },
      isSideChain: false,
      model: "m",
      usage: {
        uncached: 77,
        cacheRead: 30,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: 25,
        reasoning: 5,
      },
      merge: "last",
    },
  ]);
});

test("a message without tokens is no request", () => {
  for (const tokens of [null, undefined, 4, [], "x"])
    expect(events({ id: "g", tokens })).toEqual([]);
});

test("hostile numbers are no tokens", () => {
  const tokens = { input: "9", cached: 1e308, tool: -4, output: 0.5, thoughts: Number.NaN };
  expect(events({ id: "g", tokens })[0]).toMatchObject({
    usage: { uncached: 0, cacheRead: 0, output: 0, reasoning: 0 },
  });
});
