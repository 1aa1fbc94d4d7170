import { expect, test } from "bun:test";
import { requestEvent } from "#importers/qwen-code/request-event.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 5, conversation: "s", isSideChain: false, key: "uuid", callSession: "s" };
const usage = (usageMetadata: unknown) =>
  requestEvent({ model: "m", usageMetadata }, facts, tools)?.usage;

test.each([
  ["inside the candidates", { candidatesTokenCount: 20, totalTokenCount: 120 }, 20],
  ["next to the candidates", { candidatesTokenCount: 15, totalTokenCount: 120 }, 20],
  ["unknown, fewer than the candidates", { candidatesTokenCount: 20 }, 20],
  ["unknown, more than the candidates", { candidatesTokenCount: 4 }, 9],
])("thoughts %s", (_, more, output) => {
  const logged = {
    promptTokenCount: 100,
    cachedContentTokenCount: 30,
    thoughtsTokenCount: 5,
    ...more,
  };
  expect(usage(logged)).toEqual({
    uncached: 70,
    cacheRead: 30,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output,
    reasoning: 5,
  });
});

test("a cached part beyond the prompt is cut, and odd numbers are none", () => {
  expect(usage({ promptTokenCount: 10, cachedContentTokenCount: 99 })).toMatchObject({
    uncached: 0,
    cacheRead: 10,
  });
  for (const odd of [null, {}, { promptTokenCount: "9" }, { promptTokenCount: 1e308 }]) {
    expect(usage(odd)).toBeUndefined();
  }
});
