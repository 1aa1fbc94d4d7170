import { expect, test } from "bun:test";
import { ledgerEvent, usageEvent } from "#importers/amp/usage-events.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 5, conversation: "T" };

test("a message is keyed by its number in the thread", () => {
  const usage = { model: "m", inputTokens: 3, outputTokens: 2 };
  expect(usageEvent({ messageId: 4, usage }, facts, tools)).toMatchObject({
    at: 5,
    model: "m",
    keys: { message: "T/4" },
    merge: "first",
  });
  for (const messageId of [null, {}, "x".repeat(101)]) {
    expect(usageEvent({ messageId, usage }, facts, tools)?.keys.message).toBeNull();
  }
  for (const odd of [null, {}, { inputTokens: -3 }]) {
    expect(usageEvent({ usage: odd }, facts, tools)).toBeUndefined();
  }
});

test("an entry of the ledger is about the message that it led to", () => {
  const entry = { id: "e", toMessageId: 4, tokens: { input: 3, output: 2 }, timestamp: 9 };
  expect(ledgerEvent(entry, facts, tools)).toMatchObject({
    at: 9,
    keys: { message: "T/4", line: "e" },
    merge: "fallback",
  });
  for (const odd of [null, {}, { tokens: { input: "3" } }]) {
    expect(ledgerEvent(odd, facts, tools)).toBeUndefined();
  }
});
