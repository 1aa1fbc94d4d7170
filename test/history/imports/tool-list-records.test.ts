import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { mergeLogs, noFileCounts } from "#history/imports/merge-logs.ts";
import { makeConversationRecords } from "#history/imports/conversation-records.ts";
import { type LogEvent, noUsage } from "#history/imports/log-event.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import schema from "#records/imported-record.schema.json";

const estimation = {
  id: "claude",
  method: "bpe-scaled",
  encoding: "o200k_base*1.55",
  confidence: "medium",
  error: "±10 %",
} as const;

const noon = Date.UTC(2026, 2, 14, 12);

const request = (at: number, message: string): LogEvent => ({
  kind: "request",
  at,
  conversation: "c",
  keys: { message, request: null, line: null },
  isSideChain: false,
  model: "claude-opus-4-8",
  usage: { ...noUsage, uncached: 1_000 },
  merge: "largest",
});

const list = (at: number, added: readonly string[], removed: readonly string[] = []): LogEvent => ({
  kind: "tool_list",
  at,
  conversation: "c",
  added,
  removed,
  form: "mcp__server__tool",
});

function records(
  events: readonly LogEvent[],
  countTokens = (text: string): number | null => text.length,
) {
  const logs = mergeLogs([{ events, counts: noFileCounts }]);
  const tools = { uuid: deriveUuid, sha256, findEstimation: () => estimation, countTokens };
  const all = [...makeConversationRecords("claude-code", logs, tools)].flatMap(
    (conversation) => conversation.records,
  );
  return all.filter((record) => record.type === "tool_list");
}

test("a list belongs to the turns whose prompts contain it, with the tokens of its names", () => {
  const events = [
    list(noon - 5, ["mcp__docs__a", "mcp__docs__bc"]),
    request(noon, "m1"),
    request(noon + 10, "m2"),
    list(noon + 15, [], ["mcp__docs__bc"]),
    request(noon + 20, "m3"),
  ];
  const found = records(events);
  expect(found).toMatchObject([
    { server: "docs", tools: ["a"], turn: 0, until_turn: null, tokens: 13, seq: 0 },
    { server: "docs", tools: ["bc"], turn: 0, until_turn: 2, tokens: 14, seq: 1 },
  ]);
  const ajv = addFormats(new Ajv2020());
  for (const record of found)
    expect([ajv.validate(schema, record), ajv.errors]).toEqual([true, null]);
});

test("a list that was in no prompt has no record", () => {
  const late = [request(noon, "m1"), list(noon + 1, ["mcp__docs__a"])];
  const between = [
    request(noon, "m1"),
    list(noon + 1, ["mcp__docs__a"]),
    list(noon + 2, [], ["mcp__docs__a"]),
    request(noon + 3, "m2"),
  ];
  expect([records(late), records(between)]).toEqual([[], []]);
});

test("without a count there are no tokens, and lists of a conversation come after its calls", () => {
  const use: LogEvent = {
    kind: "tool_use",
    at: noon + 1,
    conversation: "c",
    id: "t1",
    name: { joined: "mcp__docs__a", form: "mcp__server__tool" },
    method: "tools/call",
    argumentBytes: 2,
    argumentTokens: null,
    argumentsHash: null,
    model: null,
    isSideChain: false,
    message: "m1",
  };
  const events = [list(noon, ["mcp__docs__a"]), request(noon, "m1"), use];
  expect(records(events, () => null)).toMatchObject([{ tokens: null, seq: 1 }]);
});
