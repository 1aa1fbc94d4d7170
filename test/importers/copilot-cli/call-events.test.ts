import { expect, test } from "bun:test";
import { callEvent } from "#importers/copilot-cli/call-events.ts";
import type { JsonObject } from "#wire/json.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 5, conversation: "s", request: "s/1" };
const event = (type: string, data: JsonObject) =>
  callEvent(`tool.execution_${type}`, { toolCallId: "c", ...data }, facts, tools);

test("a call of a server has its names", () => {
  const data = { mcpServerName: "lab", mcpToolName: "plain", arguments: { a: 1 }, model: "m" };
  expect(event("start", data)).toMatchObject({
    kind: "tool_use",
    id: "s/c",
    name: { server: "lab", tool: "plain" },
    argumentBytes: 7,
    message: "s/1",
    isSideChain: false,
  });
  expect(event("start", { ...data, parentToolCallId: "p" })).toMatchObject({ isSideChain: true });
  expect(event("start", { toolName: "bash" })).toBeUndefined();
  expect(event("progress", data)).toBeUndefined();
  expect(event("start", { ...data, toolCallId: 4 })).toBeUndefined();
});

test.each([
  [{ success: true, result: { content: "äb" } }, "ok", "as_logged", 3],
  [{ success: false, error: { message: "bad" } }, "tool_error", "as_logged", 3],
  [
    {
      success: true,
      result: { content: "note" },
      toolTelemetry: { properties: { largeOutputWrittenToFile: "true" } },
    },
    "ok",
    "spilled",
    4,
  ],
  [{}, "tool_error", "as_logged", 0],
] as const)("an answer with %j", (data, outcome, visible, bytes) => {
  expect(event("complete", data)).toMatchObject({ kind: "tool_result", outcome, visible, bytes });
});
