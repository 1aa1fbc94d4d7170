import { expect, test } from "bun:test";
import { saysToolIsUnknown } from "#check/mcp-client/tool-call.ts";

const invalidParams = -32_602;

test.each([
  // TypeScript SDK 1.x and 2.x.
  [null, "MCP error -32602: Tool find not found"],
  [invalidParams, "Tool find not found"],
  [invalidParams, "Tool find disabled"],
  // Python, Go (two), Java, C#, Rust.
  [null, "Unknown tool: find"],
  [invalidParams, "tool 'find' not found: tool not found"],
  [invalidParams, 'unknown tool "find"'],
  [invalidParams, "Tool not found: find"],
  [invalidParams, "Unknown tool: 'find'"],
  [invalidParams, "tool not found"],
  // Servers with a switch over names.
  [null, "Error: Unknown tool: find"],
  [null, "Unknown tool: find. Available tools: search"],
  [null, "ValueError: No such tool: find"],
  [null, "The tool find does not exist".slice(4)],
  [-32_601, "anything"],
])("saysToolIsUnknown: %p %j", (code, text) => {
  expect(saysToolIsUnknown({ code, text }, "find")).toBe(true);
});

test.each([
  [invalidParams, "Input validation error: Invalid arguments for tool find: q is required"],
  [null, "MCP error -32602: Input validation error: Invalid arguments for tool find"],
  [null, "File find not found"],
  [null, "not found"],
  // A workshop's tool, not the server's.
  [null, "Unknown tool: hammer"],
  [null, "Tool findings not found"],
  [-32_603, "find failed"],
  [null, ""],
])("saysToolIsUnknown not: %p %j", (code, text) => {
  expect(saysToolIsUnknown({ code, text }, "find")).toBe(false);
});

test("saysToolIsUnknown takes a name as it is, also one with signs of regular expressions", () => {
  expect(saysToolIsUnknown({ code: null, text: "Tool a.(b not found" }, "a.(b")).toBe(true);
  expect(saysToolIsUnknown({ code: null, text: "Unknown tool: hammer" }, "a")).toBe(false);
});
