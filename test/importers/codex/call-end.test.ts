import { describe, expect, test } from "bun:test";
import { callEnd } from "#importers/codex/call-end.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const end = (payload: object) =>
  callEnd({ ...payload }, { at: 1, conversation: "t", model: null }, tools);

const duration = { secs: 1, nanos: 500_000_000 };

const older = (
  result: unknown,
  invocation: object = { server: "docs", tool: "x", arguments: {} },
) => end({ type: "mcp_tool_call_end", call_id: "c", invocation, duration, result });

const newer = (facts: object) =>
  end({
    type: "item_completed",
    item: { type: "McpToolCall", id: "c", server: "docs", tool: "x", duration, ...facts },
  });

describe("of older versions", () => {
  test("has the true name and how long it took", () => {
    expect(older({ Ok: {} })).toMatchObject({
      id: "c",
      name: { server: "docs", tool: "x" },
      method: "tools/call",
      outcome: "ok",
      durationMs: 1500,
      argumentBytes: 2,
    });
  });

  test.each([
    [{ Ok: { isError: true } }, "tool_error"],
    [{ Ok: { is_error: true } }, "tool_error"],
    [{ Ok: { isError: false } }, "ok"],
    [{ Err: "connection closed" }, "rpc_error"],
    [null, "rpc_error"],
  ] as const)("%j is %s", (result, outcome) => {
    expect(older(result)?.outcome).toBe(outcome);
  });
});

describe("of newer versions", () => {
  test.each([
    [{ status: "completed", result: {} }, "ok"],
    [{ status: "failed", result: {} }, "tool_error"],
    [{ status: "failed", error: { message: "x" } }, "rpc_error"],
  ] as const)("%j is %s", (facts, outcome) => {
    expect(newer(facts)?.outcome).toBe(outcome);
  });
});

test("lists of resources are no calls, and a resource that is read is", () => {
  expect(newer({ server: "codex", tool: "list_mcp_resources" })).toBeUndefined();
  expect(newer({ tool: "list_mcp_resource_templates" })).toBeUndefined();
  expect(newer({ tool: "read_mcp_resource", result: {} })).toMatchObject({
    name: { server: "docs", tool: "resources/read" },
    method: "resources/read",
  });
});

test("other events are no ends", () => {
  expect(end({ type: "item_completed", item: { type: "UserMessage" } })).toBeUndefined();
  expect(end({ type: "item_completed", item: null })).toBeUndefined();
  expect(end({ type: "mcp_tool_call_end", call_id: "c" })).toBeUndefined();
  expect(end({ type: "task_started" })).toBeUndefined();
  expect(newer({ id: null })).toBeUndefined();
});
