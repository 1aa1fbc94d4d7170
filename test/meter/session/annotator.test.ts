import { describe, expect, test } from "bun:test";
import { joinText } from "#tokens/cost/client-profiles/common.ts";
import { defaultProfiles } from "#tokens/cost/client-profiles/index.ts";
import { describeToolResult, makeAnswerContext } from "#tokens/cost/visibility.ts";
import { readMember } from "#wire/json.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { noRequestFacts } from "../../support/readings.ts";
import { request } from "../../support/rpc.ts";

const usage = ["_meta", "dev.mcp-meter/usage"] as const;
const initialize = request(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "claude-code", version: "1" },
});

test.each([
  ["cline-cli", false],
  ["kimi-code", false],
  ["gemini-cli", true],
  ["claude-code", true],
])("--annotate adds to a successful answer to %s: %p", (client, isAdded) => {
  const session = new GatedSession([], {
    isAnnotating: true,
    readerFor: () => plainReader(client),
  })
    .client(initialize, request(1, "tools/call", { name: "echo", arguments: {} }))
    .server({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "a" }] } })
    .end();
  expect(session.toClient.some((line) => line.includes(usage[1]))).toBe(isAdded);
});

const answers = [
  { content: [{ type: "text", text: "a" }] },
  { content: [] },
  { content: [], structuredContent: { a: 1 } },
  { content: [{ type: "text", text: "a" }], structuredContent: { b: 1 } },
];

test.each(defaultProfiles.map((profile) => [profile.names[0], profile] as const))(
  "the profile of %s says whether the model reads _meta",
  (_client, profile) => {
    const context = makeAnswerContext({ ...plainReader(undefined), profile }, noRequestFacts);
    for (const answer of answers) {
      const annotated = { ...answer, _meta: { [usage[1]]: true } };
      const { visible } = describeToolResult(annotated, context);
      expect(joinText(visible).includes(usage[1])).toBe(profile.showsMeta === true);
    }
  },
);

function answered(budget: string, content: readonly object[]) {
  const session = new GatedSession([budget], { isAnnotating: true })
    .client(initialize, request(1, "tools/call", { name: "echo", arguments: { a: 1 } }))
    .server({ jsonrpc: "2.0", id: 1, result: { content } })
    .end();
  const line = session.toClient.find((text) => readMember(JSON.parse(text), "id") === 1) ?? "{}";
  const result: unknown = readMember(JSON.parse(line), "result");
  return { usage: readMember(result, ...usage), call: session.calls[0] };
}

describe("--annotate adds the cost that the record has", () => {
  const long = [{ type: "text", text: "x".repeat(3_000) }];
  test.each([
    ["an answer that passes", "echo=2000", "ok"],
    ["an answer that was cut", "echo=200:truncate", "ok"],
    ["an answer that was withheld", "echo=200", "refused"],
    ["a call that was refused", "echo=0", "refused"],
  ])("of %s", (_name, budget, outcome) => {
    const { usage: added, call } = answered(budget, long);
    expect(call?.outcome).toBe(outcome as "ok");
    expect(added).toMatchObject({
      tokens: call?.total_tokens,
      input_tokens: call?.input_tokens,
      output_tokens: call?.output_tokens,
    });
  });
});
