import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { mergeLogs, type ReadLog, noFileCounts } from "#history/imports/merge-logs.ts";
import {
  makeConversationRecords,
  type RecordUtils,
} from "#history/imports/conversation-records.ts";
import { type LogEvent, noUsage } from "#history/imports/log-event.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import schema from "#records/imported-record.schema.json";

const tools: RecordUtils = {
  uuid: deriveUuid,
  sha256,
  findEstimation: () => ({
    id: "claude",
    method: "bpe-scaled",
    encoding: "o200k_base*1.55",
    confidence: "medium",
    error: "±10 %",
  }),
  countTokens: (text) => text.length,
};

const noon = Date.UTC(2026, 2, 14, 12);

function request(at: number, message: string, model = "claude-opus-4-8"): LogEvent {
  return {
    kind: "request",
    at,
    conversation: "c",
    keys: { message, request: null, line: null },
    isSideChain: false,
    model,
    usage: { ...noUsage, uncached: 1_000, output: 50 },
    merge: "largest",
  };
}

function use(at: number, id: string, joined: string, message: string): LogEvent {
  return {
    kind: "tool_use",
    at,
    conversation: "c",
    id,
    name: { joined, form: "mcp__server__tool" },
    method: "tools/call",
    argumentBytes: 9,
    argumentTokens: 4,
    argumentsHash: sha256("{}"),
    model: "claude-opus-4-8",
    isSideChain: false,
    message,
  };
}

function result(at: number, id: string): LogEvent {
  return {
    kind: "tool_result",
    at,
    conversation: "c",
    id,
    outcome: "ok",
    visible: "as_logged",
    bytes: 400,
    tokens: 100,
    images: 0,
  };
}

const events: readonly LogEvent[] = [
  request(noon, "m1"),
  use(noon + 1, "toolu_1", "mcp__docs__search", "m1"),
  use(noon + 2, "toolu_2", "mcp__notes__save", "m1"),
  result(noon + 3, "toolu_1"),
  request(noon + 10, "m2"),
];

function makeRecords(list: readonly LogEvent[]) {
  const log: ReadLog = { events: list, counts: noFileCounts };
  return [...makeConversationRecords("claude-code", mergeLogs([log]), tools)];
}

test("a conversation has a record of its own, one for each turn and one for each call", () => {
  const [found, ...more] = makeRecords(events);
  expect(more).toEqual([]);
  expect(found?.lastMs).toBe(noon + 10);
  expect(found?.records.map(({ type, seq }) => [type, seq])).toEqual([
    ["conversation", 0],
    ["turn", 1],
    ["turn", 2],
    ["imported_call", 0],
    ["imported_call", 0],
  ]);
  expect(new Set(found?.records.map((record) => record.conversation_id))).toEqual(
    new Set([found?.id ?? ""]),
  );
});

test("every record fits the published schema", () => {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats(ajv);
  const matches = ajv.compile(schema);
  for (const record of makeRecords(events)[0]?.records ?? []) {
    expect([matches(record), matches.errors]).toEqual([true, null]);
  }
});

test("calls name the turns that wrote and read them, and each server has a session of its own", () => {
  const calls = makeRecords(events)[0]?.records.filter((record) => record.type === "imported_call");
  expect(calls).toMatchObject([
    { server: "docs", tool: "search", turn: 0, read_by: 1, input_tokens: 4, output_tokens: 100 },
    {
      server: "notes",
      tool: "save",
      turn: 0,
      read_by: null,
      outcome: "abandoned",
      output_tokens: null,
    },
  ]);
  expect(calls?.[0]?.session_id).not.toBe(calls?.[1]?.session_id);
  expect(calls?.[0]?.call_id_sha256).toBe(sha256("toolu_1"));
});

test("a second import gives the same records", () => {
  expect(makeRecords(events)).toEqual(makeRecords(events));
});

test("calls without any request have no turn, and a conversation without a time has no records", () => {
  const [found] = makeRecords([use(noon, "toolu_1", "mcp__docs__search", "m1")]);
  expect(found?.records).toMatchObject([
    { type: "conversation" },
    { type: "imported_call", turn: null, read_by: null },
  ]);
  const timeless = { ...use(noon, "toolu_1", "mcp__docs__search", "m1"), at: null };
  expect(makeRecords([timeless])).toEqual([]);
});
