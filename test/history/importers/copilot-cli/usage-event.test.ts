import { expect, test } from "bun:test";
import { parseUsageEvent } from "#history/importers/copilot-cli.ts";
import { plainTools } from "../../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const event = (usage: unknown) => parseUsageEvent({ usage }, { at: 5, conversation: "s" }, tools);

test("the input holds what the cache was read and written for", () => {
  const usage = {
    model: "m",
    inputTokens: 100,
    cacheReadTokens: 30,
    cacheWriteTokens: 20,
    outputTokens: 9,
    reasoningTokens: 4,
    accounting: { sourceSessionId: "origin", sequence: 3 },
  };
  expect(event(usage)).toMatchObject({
    keys: { message: "origin/3" },
    model: "m",
    usage: { uncached: 50, cacheRead: 30, cacheWrite5m: 20, output: 9, reasoning: 4 },
  });
});

test("a request without a number has the id of its call, or none", () => {
  expect(event({ apiCallId: "x" })?.keys.message).toBe("s/x");
  expect(event({})?.keys.message).toBeNull();
  for (const odd of [null, [], 4, "x"]) expect(event(odd)).toBeUndefined();
  expect(event({ inputTokens: "9", outputTokens: -1, cacheReadTokens: 5 })?.usage).toMatchObject({
    uncached: 0,
    cacheRead: 5,
    output: 0,
  });
});
