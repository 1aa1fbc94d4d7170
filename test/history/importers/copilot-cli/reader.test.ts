import { expect, test } from "bun:test";
import { CopilotReader, parseSessionTotal } from "#history/importers/copilot-cli.ts";
import { eventsOf, plainUtils } from "../../../support/logs.ts";
import { importedModelsMax } from "#history/importers/log-fields.ts";

const read = (lines: readonly Record<string, unknown>[]) =>
  eventsOf((tools) => new CopilotReader("folder/events.jsonl", tools), lines);

const line = (type: string, data: object = {}, id = "e") => ({
  type,
  data,
  id,
  timestamp: "2026-11-21T14:08:37.000Z",
});
const start = line("session.start", {
  sessionId: "s",
  copilotVersion: "1.0.102",
  context: { cwd: "/secret" },
});

test("a session is described by its first event, its folder as a hash", () => {
  const { events } = read([start, line("user.message")]);
  expect(events).toMatchObject([
    { kind: "conversation", conversation: "s", clientVersion: "1.0.102" },
  ]);
  expect(JSON.stringify(events)).not.toContain("secret");
  expect(read([line("user.message")]).events).toMatchObject([{ conversation: "folder" }]);
});

test("answers of the client's own tools are left out", () => {
  const complete = line("tool.execution_complete", { toolCallId: "c", success: true });
  const call = { toolCallId: "c", mcpServerName: "lab", mcpToolName: "plain" };
  expect(read([start, complete]).events).toHaveLength(1);
  const { events } = read([start, line("tool.execution_start", call), complete, complete]);
  expect(events.map(({ kind }) => kind)).toEqual(["conversation", "tool_use", "tool_result"]);
});

test("a compaction, a rewind and a truncation are boundaries", () => {
  const { events } = read([
    start,
    line("session.compaction_complete", {}, "b1"),
    line("session.snapshot_rewind"),
    line("session.truncation"),
    line("session.compaction_start"),
  ]);
  expect(events.slice(1)).toMatchObject([
    { reason: "compaction", line: "b1" },
    { reason: "rewind" },
    { reason: "clear" },
  ]);
});

test("an unknown event of a known family is ignored, an event of another family is counted", () => {
  expect(read([start, line("session.new"), line("subagent.started")]).unknown).toBe(0);
  expect(read([start, line("hologram.seen"), {}]).unknown).toBe(2);
});

const tools = { ...plainUtils, emit: () => {}, countBad: () => {}, countUnknown: () => {} };

test("the sum of a session has its models, up to the limit", () => {
  const usage = { inputTokens: 10, cacheReadTokens: 4, outputTokens: 2 };
  expect(parseSessionTotal({ modelMetrics: { m: { usage } } }, tools)).toMatchObject([
    { model: "m", usage: { uncached: 6, cacheRead: 4, output: 2 } },
  ]);
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, { usage }]));
  expect(parseSessionTotal({ modelMetrics: many(importedModelsMax + 1) }, tools)).toHaveLength(
    importedModelsMax,
  );
  for (const odd of [null, [], { m: null }, { m: { usage: 4 } }]) {
    expect(parseSessionTotal({ modelMetrics: odd }, tools)).toEqual([]);
  }
});
