import { describe, expect, test } from "bun:test";
import { GeminiReader, parseMessage } from "#history/importers/gemini-cli.ts";
import { eventsOf, plainUtils } from "../../../support/logs.ts";
import type { JsonObject } from "#wire/json.ts";

const main = "demo/chats/session-2026-03-14T23-50-aaaa1111.jsonl";
const read = (lines: readonly Record<string, unknown>[], path = main) =>
  eventsOf((tools) => new GeminiReader(path, tools), lines);

const metadata = { sessionId: "s", startTime: "2026-03-14T23:50:00.000Z", kind: "main" };
const answer = (id: string, more = {}) => ({
  id,
  timestamp: "2026-03-14T23:50:02.000Z",
  type: "gemini",
  model: "m",
  tokens: { input: 10, output: 2 },
  ...more,
});

describe("GeminiReader", () => {
  test("a request has the session in its key, because ids repeat in other sessions", () => {
    const { events } = read([metadata, answer("g1")]);
    expect(events).toMatchObject([
      { kind: "conversation", conversation: "s", role: "main", parent: null },
      { kind: "request", keys: { message: "s/g1" }, usage: { uncached: 10, output: 2 } },
    ]);
  });

  test("a checkpoint is read, and a later one is a boundary; so is a rewind", () => {
    const set = { $set: { messages: [answer("g1"), { id: "u", type: "user" }, null] } };
    const { events, unknown } = read([metadata, set, set, { $rewindTo: "g1" }]);
    expect(events.map(({ kind }) => kind)).toEqual([
      "conversation",
      "request",
      "boundary",
      "request",
      "boundary",
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "rewind", line: "s/2" });
    expect(unknown).toBe(0);
  });

  test("a sub-agent's parent is read from the folder, also before the agent's line", () => {
    const path = "demo/chats/parent-1/sub-1.jsonl";
    expect(read([answer("g1")], path).events[0]).toMatchObject({
      conversation: "sub-1",
      role: "subagent",
      parent: "parent-1",
    });
  });

  test("lines that are not from Gemini CLI are counted", () => {
    const lines = [{ hello: "world" }, { id: "x", type: "new kind" }, { $set: 4 }, {}];
    expect(read([metadata, ...lines]).unknown).toBe(4);
    expect(read([{ $set: { lastUpdated: "x" } }, { id: "i", type: "info" }]).unknown).toBe(0);
  });
});

const tools = { ...plainUtils, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const events = (message: JsonObject) => parseMessage(message, { at: 5, conversation: "s" }, tools);

test("input includes the cached part, output does not include the thoughts", () => {
  const tokens = { input: 100, cached: 30, tool: 7, output: 20, thoughts: 5, total: 132 };
  expect(events({ id: "g", model: "m", tokens })).toEqual([
    {
      kind: "request",
      at: 5,
      conversation: "s",
      keys: { message: "s/g", request: null, line: null },
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

test.each([
  [["hello", "world"], 10],
  [["hello", { text: "wörld" }], 11],
  ["hello", 5],
])("a result %j has the bytes of its texts", (result, bytes) => {
  const call = { id: "c", name: "mcp_docs_search", args: {}, status: "success", result };
  const emitted = read([metadata, answer("g1", { toolCalls: [call] })]).events;
  expect(emitted.at(-1)).toMatchObject({ kind: "tool_result", outcome: "ok", bytes });
});

test("hostile numbers are no tokens", () => {
  const tokens = { input: "9", cached: 1e308, tool: -4, output: 0.5, thoughts: Number.NaN };
  expect(events({ id: "g", tokens })[0]).toMatchObject({
    usage: { uncached: 0, cacheRead: 0, output: 0, reasoning: 0 },
  });
});
