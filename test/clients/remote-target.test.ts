import { expect, test } from "bun:test";
import { findRemoteRule, findRemoteTarget, findUrlFault } from "#clients/mcp-remote.ts";
import type { JsonObject } from "#wire/json.ts";

function findTarget(client: "gemini-cli" | "qwen-code", entry: JsonObject) {
  const rule = findRemoteRule(client);
  if (rule === undefined) throw new Error(client);
  return findRemoteTarget(entry, rule);
}

test("of two URLs, the client uses the first of its members", () => {
  const entry = { url: "https://b.org", httpUrl: "https://a.org" };
  const target = { member: "httpUrl", url: "https://a.org", transport: "http" };
  expect(findTarget("gemini-cli", entry)).toEqual(target as never);
});

test.each([
  [{ url: "https://a.org" }, { transport: "sse" }],
  [{ httpUrl: "https://a.org" }, { transport: "http" }],
  [{ url: "https://a.org", type: "http" }, { transport: "http" }],
  [{ url: "https://a.org", type: "ws" }, { refusal: "transport" }],
  [{ command: "x" }, { refusal: "url" }],
] as const)("%j: %j", (entry, wanted) => {
  expect(findTarget("qwen-code", entry)).toMatchObject(wanted);
});

test.each([
  ["https://a.org/mcp?toolsets=repos", undefined],
  ["https://a.org/${WORD}", "url_placeholder"],
  ["https://a.org/mcp?token=x", "url_secret"],
  ["file:///mcp", "url"],
] as const)("%s: %p", (url, fault) => {
  expect(findUrlFault(url)).toBe(fault);
});
