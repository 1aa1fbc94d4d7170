import { describe, expect, test } from "bun:test";
import { ClaudeCodeReader, parseSessionTotal } from "#history/importers/claude-code.ts";
import type { ReaderUtils } from "#history/imports/importer.ts";
import { eventsOf } from "../../../support/logs.ts";
import { importedModelsMax } from "#history/importers/log-fields.ts";

const open =
  (path = "-work/one.jsonl") =>
  (tools: ReaderUtils) =>
    new ClaudeCodeReader(path, tools);

const at = "2026-03-14T00:00:00.000Z";
const base = { sessionId: "one", timestamp: at, version: "2.1", cwd: "/w", isSidechain: false };

const answer = {
  ...base,
  type: "assistant",
  uuid: "u1",
  requestId: "req",
  message: {
    id: "msg",
    model: "opus",
    usage: { input_tokens: 3, output_tokens: 5 },
    content: [{ type: "tool_use", id: "t1", name: "mcp__docs__search", input: {} }],
  },
};

const result = {
  ...base,
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "found" }] },
};

const kinds = (lines: readonly object[], path?: string): string[] =>
  eventsOf(
    open(path),
    lines.map((line) => ({ ...line })),
  ).events.map(({ kind }) => kind);

test("a call, its request and its answer are events of a conversation that is described once", () => {
  expect(kinds([answer, result])).toEqual(["conversation", "request", "tool_use", "tool_result"]);
});

test("an answer of one of the client's tools is an entry of the prompt", () => {
  const bash = { ...answer, message: { ...answer.message, content: [] } };
  expect(kinds([bash, result])).toEqual(["conversation", "request", "entry"]);
});

test("tools that are loaded on demand are listed by their names", () => {
  const attachment = { type: "deferred_tools_delta", addedNames: ["mcp__docs__search"] };
  const line = { ...base, type: "attachment", uuid: "u2", attachment };
  const { events } = eventsOf(open(), [line]);
  expect(events.map(({ kind }) => kind)).toEqual(["conversation", "entry", "tool_list"]);
  expect(events.at(-1)).toEqual({
    kind: "tool_list",
    at: Date.parse(at),
    conversation: "one",
    added: ["mcp__docs__search"],
    removed: [],
    form: "mcp__server__tool",
  });
});

const lineOf = (uuid: string, parentUuid: string | null, isSidechain: boolean) => ({
  ...answer,
  uuid,
  parentUuid,
  isSidechain,
  message: { ...answer.message, id: `msg-${uuid}`, content: [] },
});

describe("conversations", () => {
  test("of a sub-agent's file have the id in its name, and the session as their parent", () => {
    const path = "-work/one/subagents/agent-a1.jsonl";
    const [event] = eventsOf(open(path), [answer]).events;
    expect(event).toMatchObject({
      conversation: "a1",
      session: "one",
      role: "subagent",
      parent: "one",
      clientVersion: "2.1",
    });
  });

  test("of sub-agents in the session's file, as older versions log them, are the chains of lines", () => {
    const { events } = eventsOf(open(), [
      lineOf("m1", null, false),
      { ...lineOf("a1", null, true), type: "user" },
      lineOf("a2", "a1", true),
      lineOf("b1", null, true),
      { ...lineOf("a3", "a2", true), type: "progress" },
      lineOf("m2", "m1", false),
      lineOf("a4", "a3", true),
    ]);
    const requests = events.filter(({ kind }) => kind === "request");
    expect(requests.map(({ conversation }) => conversation)).toEqual([
      "one",
      "a1",
      "b1",
      "one",
      "a1",
    ]);
    expect(events.filter(({ kind }) => kind === "conversation")).toMatchObject([
      { conversation: "one", session: "one", role: null, parent: null },
      { conversation: "a1", session: "one", role: "subagent", parent: "one" },
      { conversation: "b1", session: "one", role: "subagent", parent: "one" },
    ]);
  });

  test("with forkedFrom are forks", () => {
    const [event] = eventsOf(open(), [{ ...answer, forkedFrom: { sessionId: "zero" } }]).events;
    expect(event).toMatchObject({ role: "fork", parent: "zero" });
  });
});

test("a compaction is a boundary, and the session's sum is an event", () => {
  const compacted = { ...base, type: "system", subtype: "compact_boundary", uuid: "u2" };
  const total = { type: "cost-state", sessionId: "one", modelUsage: { opus: { inputTokens: 7 } } };
  const { events } = eventsOf(open(), [compacted, total]);
  expect(events.slice(1)).toMatchObject([
    { kind: "boundary", reason: "compaction", line: "u2" },
    { kind: "session_total", at: Date.parse(at), models: [{ model: "opus" }] },
  ]);
});

test("lines of an unknown type are counted", () => {
  expect(eventsOf(open(), [{ type: "quantum-flux" }, {}, { type: "summary" }]).unknown).toBe(2);
});

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
  expect(parseSessionTotal({ modelUsage: { opus: usage, odd: null } })).toEqual([
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
  expect(parseSessionTotal({ modelUsage: "x" })).toEqual([]);
});

const models = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, {}]));

test("sums are read for a limited number of models", () => {
  expect(parseSessionTotal({ modelUsage: models(importedModelsMax) })).toHaveLength(
    importedModelsMax,
  );
  expect(parseSessionTotal({ modelUsage: models(importedModelsMax + 1) })).toHaveLength(
    importedModelsMax,
  );
});
