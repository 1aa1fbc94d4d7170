import { describe, expect, test } from "bun:test";
import { type BlockKind, blockKinds } from "#tokens/cost/client-profiles/block.ts";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { describeError, describeResult } from "#tokens/cost/describe-calls.ts";
import { rateAnswerConfidence, makeAnswerContext } from "#tokens/cost/visibility.ts";
import { readDocument, tableRows } from "../../../docs/documents.ts";
import { plainReader } from "../../../support/plain-reader.ts";

const answersByKind: { readonly [kind in BlockKind]: string } = {
  text: "text",
  image: "image",
  "unreadable-image": "image unreadable",
  audio: "audio",
  link: "link",
  "resource-text": "resource text",
  "resource-image": "resource image",
  "resource-blob": "resource blob",
  unknown: "unknown block",
};

const comparedClients = {
  "claude-code": "claude-code",
  codex: "codex-mcp-client",
  gemini: "gemini-cli-mcp-client",
  opencode: "opencode",
  qwen: "qwen-code",
  copilot: "copilot-cli",
  kilo: "kilo",
  kimi: "kimi-code",
  continue: "continue-cli-client",
  cline: "@cline/core",
} as const;

function exceptions(section: string): readonly string[] {
  const [, skipped = ""] = /^Not compared: (.*)\.$/m.exec(section) ?? [];
  return [...tableRows(section).map(([answer = ""]) => answer), ...skipped.split(", ")];
}

describe("the kinds that a profile was measured with are those whose numbers agreed", () => {
  const notes = readDocument("docs/notes/clients.md");
  test.each(Object.entries(comparedClients))("%s", (section, client) => {
    const [, rest = ""] = notes.split(`<!-- compared: ${section} -->`);
    const others = exceptions(rest.split("<!-- end:")[0] ?? "");
    const kinds = blockKinds.filter((kind) => !others.includes(answersByKind[kind]));
    expect(findProfile(client, {}).measured?.kinds).toEqual(kinds);
  });
});

describe("confidence of an answer to OpenCode, by a vocabulary that is exact", () => {
  const text = { type: "text", text: "It is cold." };
  const link = { type: "resource_link", uri: "a://b", name: "b" };
  const message = { role: "user", content: text };
  test.each([
    ["tools/call", { content: [text] }, "high"],
    ["tools/call", { content: [text, link] }, "high"],
    ["tools/call", { content: [text], isError: true }, "high"],
    ["tools/call", { content: [text, link], isError: true }, "medium"],
    ["tools/call", { toolResult: "It is cold." }, "medium"],
    ["prompts/get", { messages: [message] }, "medium"],
    ["resources/read", { contents: [{ uri: "a://b", text: "It is cold." }] }, "medium"],
    ["sampling/createMessage", message, "medium"],
  ] as const)("of %s: %j", (method, result, confidence) => {
    const reader = { ...plainReader("opencode"), profile: findProfile("opencode", {}) };
    const reading = makeAnswerContext(reader, { tool: "weather", input: [], caller: {} });
    expect(rateAnswerConfidence("high", describeResult(method, result, reading))).toBe(confidence);
    const unknown = { ...reading, profile: findProfile("another", {}) };
    expect(rateAnswerConfidence("high", describeResult(method, result, unknown))).toBe("medium");
    expect(rateAnswerConfidence("high", describeError(method, { code: 1 }, reading))).toBe(
      "medium",
    );
  });
});
