import { describe, expect, test } from "bun:test";
import { CodexReader } from "#history/importers/codex.ts";
import type { ReaderUtils } from "#history/imports/importer.ts";
import { eventsOf } from "../../../support/logs.ts";

const path = "2026/03/14/rollout-2026-03-14T23-50-00-019c0000-0000-7000-8000-0000000000a1.jsonl";
const open = () => (tools: ReaderUtils) => new CodexReader(path, tools);

const line = (type: string, payload: object, timestamp = "2026-03-14T23:50:00.000Z") => ({
  timestamp,
  type,
  payload,
});

const start = line("session_meta", { id: "thread", timestamp: "2026-03-14T23:50:00.000Z" });
const model = line("turn_context", { model: "gpt" });
const call = line("response_item", { type: "function_call", call_id: "c", name: "mcp__a__b" });
const output = line("response_item", { type: "function_call_output", call_id: "c", output: "x" });
const usage = { input_tokens: 3 };

test("a thread has its calls with the model of its turn", () => {
  const { events } = eventsOf(open(), [start, model, call, output, output]);
  expect(events).toMatchObject([
    { kind: "conversation", conversation: "thread" },
    { kind: "tool_use", id: "c", model: "gpt", conversation: "thread" },
    { kind: "tool_result", id: "c", bytes: 1 },
  ]);
});

const count = (info: unknown, at?: string) =>
  eventsOf(open(), [start, line("event_msg", { type: "token_count", info }, at)]).events.slice(1);

describe("counters", () => {
  test("are events with the total and the last request", () => {
    const info = { total_token_usage: usage, last_token_usage: null };
    expect(count(info)).toMatchObject([
      { kind: "running_total", total: { uncached: 3 }, last: null, isEarly: true, turn: null },
    ]);
    expect(count(info, "2026-03-14T23:50:01.001Z")).toMatchObject([{ isEarly: false }]);
  });

  test("without a total are none", () => {
    expect(count(null)).toEqual([]);
  });
});

test("a record of a request belongs to the thread that it names", () => {
  const payload = { response_id: "r", thread_id: "parent", usage };
  const { events } = eventsOf(open(), [start, line("token_usage_record", payload)]);
  expect(events[1]).toMatchObject({
    kind: "request",
    conversation: "parent",
    keys: { message: "r" },
    usage: { uncached: 3 },
  });
});

test("compactions and rewinds are boundaries", () => {
  const rolledBack = line("event_msg", { type: "thread_rolled_back", num_turns: 1 });
  const { events } = eventsOf(open(), [line("compacted", {}), rolledBack]);
  expect(events).toMatchObject([{ reason: "compaction" }, { reason: "rewind" }]);
});

test("the oldest files have no envelopes", () => {
  const { events, unknown } = eventsOf(open(), [
    { id: "old", timestamp: "2025-05-01T00:00:00Z", instructions: null },
    { record_type: "state" },
    { type: "function_call", call_id: "c", name: "mcp__a__b", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: { content: "x", success: true } },
    { odd: 1 },
  ]);
  expect(events.map(({ kind, conversation }) => [kind, conversation])).toEqual([
    ["conversation", "old"],
    ["tool_use", "old"],
    ["tool_result", "old"],
  ]);
  expect(unknown).toBe(1);
});

test("unknown types are counted, and without a start the id comes from the file's name", () => {
  const { events, unknown } = eventsOf(open(), [line("hologram", {}), call]);
  expect(unknown).toBe(1);
  expect(events[0]?.conversation).toBe("019c0000-0000-7000-8000-0000000000a1");
});
