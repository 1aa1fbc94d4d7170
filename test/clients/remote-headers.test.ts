import { describe, expect, test } from "bun:test";
import { convertHeaders, findRemoteRule, type RemoteRule } from "#clients/mcp-remote.ts";
import type { ClientId } from "#clients/ids.ts";
import type { JsonObject } from "#wire/json.ts";

function rule(id: ClientId): RemoteRule {
  const found = findRemoteRule(id);
  if (found === undefined) throw new Error(id);
  return found;
}

const convert = (id: ClientId, entry: JsonObject) => convertHeaders(entry, rule(id));

test("headers become variables, which arguments name", () => {
  const headers = { Authorization: "Bearer x", "X-Key": "y" };
  expect(convert("zed", { headers })).toEqual({
    renamed: [{ from: "headers", to: "env" }],
    inner: [
      { of: "headers", from: "Authorization", to: "MCP_HEADER_1" },
      { of: "headers", from: "X-Key", to: "MCP_HEADER_2" },
    ],
    replaced: [],
    lines: ["Authorization:${MCP_HEADER_1}", "X-Key:${MCP_HEADER_2}"],
    handledMembers: ["headers", "env"],
  });
});

test("an entry without headers keeps its variables", () => {
  expect(convert("cursor", { env: { A: "b" } })).toMatchObject({ renamed: [], lines: [] });
  // Continue keeps its headers elsewhere, so this member is unknown.
  expect(convert("continue", { headers: {} })).toMatchObject({ handledMembers: ["env"] });
});

test("Goose has both members: the empty one takes the other name", () => {
  expect(convert("goose", { headers: { A: "b" }, envs: {} })).toMatchObject({
    renamed: [
      { from: "headers", to: "envs" },
      { from: "envs", to: "headers" },
    ],
  });
  expect(convert("goose", { headers: {}, envs: { A: "b" } })).toMatchObject({ renamed: [] });
});

test("Codex passes variables on by name", () => {
  expect(convert("codex", { bearer_token_env_var: "TOKEN" })).toMatchObject({
    replaced: [{ from: "bearer_token_env_var", to: [{ name: "env_vars", value: ["TOKEN"] }] }],
    lines: ["Authorization:Bearer ${TOKEN}"],
  });
  expect(convert("codex", { env_http_headers: { A: "B", C: "D" } })).toMatchObject({
    replaced: [{ from: "env_http_headers", to: [{ name: "env_vars", value: ["B", "D"] }] }],
    lines: ["A:${B}", "C:${D}"],
  });
});

describe("refused is", () => {
  test.each<readonly [string, ClientId, JsonObject, string, string]>([
    ["a header without a usual name", "cursor", { headers: { "a b": "c" } }, "header", "a b"],
    [
      "a header that no object of mcp-remote keeps",
      "cursor",
      { headers: JSON.parse('{"__proto__":"b"}') },
      "header",
      "__proto__",
    ],
    ["a header that is not a text", "cursor", { headers: { a: 1 } }, "header", "a"],
    ["headers that are not an object", "cursor", { headers: [] }, "option", "headers"],
    ["headers beside variables", "zed", { headers: { a: "b" }, env: { C: "d" } }, "option", "env"],
    ["a placeholder of Claude Code", "claude-code", { headers: { a: "${T}" } }, "placeholder", "a"],
    ["a placeholder of a shell", "copilot-cli", { headers: { a: "x$T" } }, "placeholder", "a"],
    [
      "both ways to pass variables",
      "codex",
      { bearer_token_env_var: "T", env_http_headers: {} },
      "option",
      "env_http_headers",
    ],
    [
      "a variable that is none",
      "codex",
      { bearer_token_env_var: "a b" },
      "header",
      "Authorization",
    ],
    ["no variable", "codex", { env_http_headers: {} }, "header", "env_http_headers"],
  ])("%s", (_, id, entry, refusal, subject) => {
    expect(convert(id, entry)).toEqual({ refusal, subject } as never);
  });

  test("no placeholder of a client that fills it alike in a variable", () => {
    for (const value of ["${input:token}", "Bearer ${env:T}", "$T", "{env:T}"])
      expect(convert("vs-code", { headers: { a: value } })).toMatchObject({
        lines: ["a:${MCP_HEADER_1}"],
      });
  });
});
