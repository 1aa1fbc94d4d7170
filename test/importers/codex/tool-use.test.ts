import { expect, test } from "bun:test";
import { toolUse } from "#importers/codex/tool-use.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const use = (item: object) =>
  toolUse({ call_id: "c", ...item }, { at: 1, conversation: "t", model: "gpt" }, tools);

test("names are joined, or in two parts with or without underscores at the end", () => {
  const joined = { joined: "mcp__docs__fetch", form: "double" } as const;
  expect(use({ name: "mcp__docs__fetch" })?.name).toEqual(joined);
  expect(use({ name: "fetch", namespace: "mcp__docs" })?.name).toEqual(joined);
  expect(use({ name: "fetch", namespace: "mcp__docs__" })?.name).toEqual(joined);
});

test("functions of the client are no calls of a server", () => {
  expect(use({ name: "shell" })).toBeUndefined();
  expect(use({ name: "spawn", namespace: "agents" })).toBeUndefined();
  expect(use({ name: "mcp__a__b", call_id: null })).toBeUndefined();
  expect(use({})).toBeUndefined();
});

test("a resource that is read is a request of the server in its arguments", () => {
  expect(use({ name: "read_mcp_resource", arguments: '{"server":"docs"}' })).toMatchObject({
    name: { server: "docs", tool: "resources/read" },
    method: "resources/read",
    argumentBytes: 17,
  });
  expect(use({ name: "read_mcp_resource", arguments: "{" })).toBeUndefined();
});
