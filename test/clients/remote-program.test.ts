import { describe, expect, test } from "bun:test";
import type { EntryForm } from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { mcpRemote, buildRemoteProgram, findRemoteRule } from "#clients/mcp-remote.ts";
import type { JsonObject } from "#wire/json.ts";
import packageJson from "../../package.json" with { type: "json" };

const front = ["/opt/mcp-meter", "--"];

function buildProgram(id: ClientId, entry: JsonObject, form: EntryForm = "command") {
  const rule = findRemoteRule(id);
  if (rule === undefined) throw new Error(id);
  return buildRemoteProgram(entry, rule, { front, form });
}

function readWords(entry: JsonObject): unknown {
  const program = buildProgram("cursor", entry);
  return "words" in program ? program.words.slice(3) : program;
}

test("mcp-remote is started in the version that the tests use", () => {
  expect(mcpRemote).toBe(`mcp-remote@${packageJson.devDependencies["mcp-remote"]}`);
});

test("the URL gives way to a command, and the word for the transport to that for a program", () => {
  expect(buildProgram("claude-code", { type: "http", url: "https://x.org/mcp" })).toEqual({
    changes: {
      renamed: [],
      inner: [],
      replaced: [
        {
          from: "url",
          to: [
            { name: "command", value: "/opt/mcp-meter" },
            { name: "args", value: ["--", "npx", "-y", mcpRemote, "https://x.org/mcp"] },
          ],
        },
      ],
      values: [{ of: "type", to: "stdio" }],
    },
    words: ["npx", "-y", mcpRemote, "https://x.org/mcp"],
  });
});

test("each form of entries has its own members", () => {
  const names = (["command", "cmd", "array"] as const).map((form) => {
    const program = buildProgram("cursor", { url: "https://x.org" }, form);
    return "changes" in program
      ? program.changes.replaced.flatMap(({ to }) => to.map(({ name }) => name))
      : [];
  });
  expect(names).toEqual([["command", "args"], ["cmd", "args"], ["command"]]);
});

test.each<readonly [JsonObject, readonly string[]]>([
  [{ url: "https://x.org/mcp" }, []],
  [{ url: "https://x.org/sse", type: "sse" }, ["--transport", "sse-only"]],
  [{ url: "http://localhost:1/mcp" }, []],
  [{ url: "http://127.0.0.1:1/mcp" }, []],
  [{ url: "http://[::1]:1/mcp" }, ["--allow-http"]],
  [{ url: "http://vpc.local/mcp" }, ["--allow-http"]],
  [{ url: "https://x.org/mcp?project=a-b&read_only=true" }, []],
  [{ url: "https://x.org/", headers: { A: "secret" } }, ["--header", "A:${MCP_HEADER_1}"]],
])("%j: %j", (entry, options) => {
  expect(readWords(entry)).toEqual([entry["url"], ...options]);
});

describe("refused is", () => {
  const cases: readonly (readonly [entry: JsonObject, refusal: string, subject?: string])[] = [
    [{ url: "ftp://x.org" }, "url"],
    [{ url: "x.org/mcp" }, "url"],
    [{ url: "https://x.org/a b" }, "url"],
    [{ url: "https://x.org/`id`" }, "url"],
    [{ url: "--help" }, "url"],
    [{ uri: "https://x.org" }, "url"],
    [{ url: "https://${HOST}/mcp" }, "url_placeholder"],
    [{ url: "https://me@x.org/mcp" }, "url_secret"],
    [{ url: "https://me:word@x.org/mcp" }, "url_secret"],
    [{ url: "https://x.org/mcp?api_key=short" }, "url_secret"],
    [{ url: "https://x.org/mcp?k=abcdefghij0123456789" }, "url_secret"],
    [{ url: "https://x.org/s/0123456789abcdefghij0123456789/mcp" }, "url_secret"],
    [{ url: "https://x.org", type: "ws" }, "transport"],
    [{ url: "https://x.org", type: "toString" }, "transport"],
    [{ url: "https://x.org", type: 1 }, "transport"],
    [{ url: "https://x.org", oauth: { clientId: "x" } }, "option", "oauth"],
    [{ url: "https://x.org", headersHelper: "x" }, "option", "headersHelper"],
    [{ url: "https://x.org", headers: 1 }, "option", "headers"],
  ];

  test.each(cases.map(([entry, ...fault]) => [entry, fault] as const))("%j: %j", (entry, fault) => {
    const program = buildProgram("cursor", entry);
    const [refusal, subject] = fault;
    expect(program).toMatchObject(subject === undefined ? { refusal } : { refusal, subject });
  });
});

test("no client's entry with a secret header has it in the words", () => {
  for (const id of clientIds) {
    const rule = findRemoteRule(id);
    if (rule?.headersMember === undefined) continue;
    const [member = ""] = Object.keys(rule.urls);
    const entry = {
      [member]: "https://x.org/mcp",
      [rule.headersMember]: { Authorization: "Bearer secret" },
    };
    const program = buildProgram(id, entry);
    expect([id, "words" in program && program.words.at(-1)]).toEqual([
      id,
      "Authorization:${MCP_HEADER_1}",
    ]);
    expect(JSON.stringify(program)).not.toContain("secret");
  }
});
