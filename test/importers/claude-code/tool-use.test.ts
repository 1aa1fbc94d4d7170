import { expect, test } from "bun:test";
import { toolUse } from "#importers/claude-code/tool-use.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 1, conversation: "one", isSideChain: false, model: "opus", message: "m" };
const useOf = (block: unknown) => toolUse(block, facts, tools);

test("tools of servers are calls", () => {
  expect(useOf({ type: "tool_use", id: "t", name: "mcp__a__b", input: { x: 1 } })).toMatchObject({
    id: "t",
    name: { joined: "mcp__a__b", form: "double" },
    method: "tools/call",
    argumentBytes: 7,
    model: "opus",
    message: "m",
  });
});

test("a resource that is read is a request of its server", () => {
  const input = { server: "docs", uri: "x://y" };
  expect(useOf({ type: "tool_use", id: "t", name: "ReadMcpResourceTool", input })).toMatchObject({
    name: { server: "docs", tool: "resources/read" },
    method: "resources/read",
  });
});

test("other tools and blocks are not", () => {
  const blocks = [
    { type: "tool_use", id: "t", name: "Bash" },
    { type: "tool_use", id: "t", name: "ListMcpResourcesTool" },
    { type: "tool_use", id: "t", name: "ReadMcpResourceTool" },
    { type: "tool_use", name: "mcp__a__b" },
    { type: "text", id: "t", name: "mcp__a__b" },
    null,
  ];
  for (const block of blocks) expect(useOf(block)).toBeUndefined();
});
