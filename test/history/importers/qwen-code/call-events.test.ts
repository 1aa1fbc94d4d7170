import { expect, test } from "bun:test";
import { parseCallEnd, parseResult, parseToolUse } from "#history/importers/qwen-code.ts";
import { plainTools } from "../../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = {
  at: 5,
  conversation: "s",
  isSideChain: false,
  key: "uuid",
  callSession: "origin",
  model: "m",
};

test("a call of a server has the session in its id", () => {
  const functionCall = { id: "c", name: "mcp__lab__plain", args: { a: 1 } };
  expect(parseToolUse({ functionCall }, facts, tools)).toMatchObject({
    id: "origin/c",
    name: { joined: "mcp__lab__plain", form: "double" },
    argumentBytes: 7,
    message: "uuid",
  });
  for (const item of [{ functionCall: { id: "c", name: "read_file" } }, { text: "x" }, null]) {
    expect(parseToolUse(item, facts, tools)).toBeUndefined();
  }
});

test.each([
  ["success", { output: "äb" }, "ok", 3],
  ["error", { error: "bad" }, "tool_error", 3],
  ["cancelled", { error: "no" }, "cancelled", 2],
  ["new", { error: "no" }, "tool_error", 2],
  ["new", { a: 1 }, "ok", 7],
] as const)("an answer with the status %s and %j", (status, response, outcome, bytes) => {
  const functionResponse = { id: "c", name: "mcp__lab__plain", response };
  const result = parseResult({ functionResponse }, { ...facts, status }, tools);
  expect(result).toMatchObject({ outcome, bytes });
});

test("the telemetry names the server as it is configured", () => {
  const event = {
    call_id: "c",
    function_name: "mcp__my_lab__plain",
    mcp_server_name: "my lab",
    duration_ms: 7,
    status: "success",
  };
  expect(parseCallEnd(event, facts, tools)).toMatchObject({
    name: { server: "my lab", tool: "plain" },
    durationMs: 7,
    outcome: "ok",
  });
  expect(
    parseCallEnd({ ...event, function_name: "other", duration_ms: -1 }, facts, tools),
  ).toMatchObject({
    name: { joined: "other" },
    durationMs: null,
  });
  expect(parseCallEnd({ ...event, mcp_server_name: undefined }, facts, tools)).toBeUndefined();
});
