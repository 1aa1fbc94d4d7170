import { expect, test } from "bun:test";
import { AmpReader } from "#importers/amp/reader.ts";
import { eventsOf } from "../../support/logs.ts";

const read = (document: Record<string, unknown>) =>
  eventsOf((tools) => new AmpReader({ path: "T-file.json" }, tools), [document]).events;

test("a thread has its own id, or that of its file, and its time where a message has none", () => {
  const usage = { inputTokens: 1 };
  expect(read({ messages: [{ usage }], created: 7 })).toMatchObject([
    { kind: "conversation", conversation: "T-file", at: 7 },
    { kind: "request", at: 7, keys: { message: null } },
  ]);
  expect(read({ id: "T-own" })).toMatchObject([{ conversation: "T-own" }]);
});

test("odd members are no messages and no entries", () => {
  const odd = { messages: [null, 4, "x", { content: 4 }], usageLedger: { events: [null, {}] } };
  expect(read(odd)).toHaveLength(1);
  expect(read({ messages: {}, usageLedger: [] })).toHaveLength(1);
});
