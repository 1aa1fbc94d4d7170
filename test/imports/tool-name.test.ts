import { describe, expect, test } from "bun:test";
import type { JoinedForm } from "#imports/log-event.ts";
import { serverTool } from "#imports/tool-name.ts";

const split = (joined: string, form: JoinedForm, servers: readonly string[] = []) => {
  const found = serverTool({ joined, form }, servers);
  return found && [found.server, found.tool];
};

test("a name in two parts is not split again", () => {
  const name = { server: "a__b", tool: "c" };
  expect(serverTool(name, ["a"])).toBe(name);
});

describe("without known servers", () => {
  test.each<[string, JoinedForm, string[] | undefined]>([
    ["mcp__docs__fetch__all", "double", ["docs", "fetch__all"]],
    ["mcp__docs", "double", ["unknown", "docs"]],
    ["Bash", "double", undefined],
    ["mcp_my_server_tool", "single", ["my", "server_tool"]],
    ["docs_search", "bare", undefined],
    ["docs__search", "extension", ["docs", "search"]],
  ])("%s as %s", (joined, form, expected) => {
    expect(split(joined, form)).toEqual(expected);
  });
});

describe("with known servers", () => {
  test.each<[string, JoinedForm, readonly string[], string[] | undefined]>([
    ["mcp__a__b__c", "double", ["a", "a__b"], ["a__b", "c"]],
    ["mcp__my_server_v2__x", "double", ["my server.v2"], ["my server.v2", "x"]],
    ["docs_search", "bare", ["docs", "do"], ["docs", "search"]],
    ["docsearch", "bare", ["docs"], undefined],
    ["mcp_my_server_tool", "single", ["my_server"], ["my_server", "tool"]],
  ])("%s as %s of %j", (joined, form, servers, expected) => {
    expect(split(joined, form, servers)).toEqual(expected);
  });
});
