import { describe, expect, test } from "bun:test";
import { splitAnswer } from "#meter/actions/fit-result.ts";
import { makeExcess } from "../../support/excess.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { noRequestFacts } from "../../support/readings.ts";

const text = (of: string, more: object = {}) => ({ type: "text", text: of, ...more });
const city = { city: "Oslo" };
const json = '{"city":"Oslo"}';
const both = { content: [text("Cold")], structuredContent: city };
const failed = { ...both, isError: true };

function textsAs(client: string | undefined, result: object, caller = {}): readonly string[] {
  const request = { ...noRequestFacts, caller };
  const pieces = splitAnswer(makeExcess(result, 10, { request, reader: plainReader(client) }));
  return pieces.texts.map(({ text: of }) => of);
}

function lossOf(client: string, result: object): boolean {
  return splitAnswer(makeExcess(result, 10, { reader: plainReader(client) })).losesStructured;
}

const clients: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["claude-code", [json], ["Cold"]],
  ["Visual Studio Code", [json], [json]],
  ["gemini-cli-mcp-client", ["Cold"], ["Cold"]],
  ["opencode", ["Cold"], ["Cold"]],
  ["qwen-cli-mcp-client", [json, "Cold"], ["Cold"]],
  ["copilot-cli", ["Cold", json], ["Cold"]],
  ["cursor", ["Cold"], ["Cold"]],
  ["jetbrains-iu-copilot-intellij", ["Cold", json], ["Cold", json]],
  ["somebody", ["Cold", json], ["Cold", json]],
];

describe("answerPieces", () => {
  test.each(clients)("%s: the texts that its model reads", (client, shown, shownOfError) => {
    expect(textsAs(client, both)).toEqual([...shown]);
    expect(textsAs(client, failed)).toEqual([...shownOfError]);
  });

  test("a script of Codex gets both halves, its direct models one", () => {
    expect(textsAs("codex-mcp-client", both, { callId: "exec-1" })).toEqual(["Cold", json]);
    expect(textsAs("codex-mcp-client", both, { callId: "call_1" })).toEqual([json]);
    expect(textsAs("codex-mcp-client", failed, { callId: "call_1" })).toEqual([json]);
  });

  test("halves that say the same are one, and the structure goes where a cut text would show both", () => {
    const twice = { content: [text(json)], structuredContent: city };
    const read = (client: string, callId = "call_1") => {
      const request = { ...noRequestFacts, caller: { callId } };
      const pieces = splitAnswer(makeExcess(twice, 10, { request, reader: plainReader(client) }));
      expect(pieces.texts.map((piece) => piece.text)).toEqual([json]);
      expect(pieces.losesStructured).toBe(false);
      return pieces.readsStructured;
    };
    for (const [client] of clients) {
      const isContentOnly = ["gemini-cli-mcp-client", "opencode", "cursor"].includes(client);
      expect(read(client)).toBe(!isContentOnly);
    }
    expect(read("codex-mcp-client", "exec-1")).toBe(true);
  });

  test("text for the user alone is not cut for a client that hides it", () => {
    const content = [text("Saved", { annotations: { audience: ["user"] } }), text("Two rows")];
    expect(textsAs("Visual Studio Code", { content })).toEqual(["Two rows"]);
    expect(textsAs("somebody", { content })).toEqual(["Saved", "Two rows"]);
  });

  test("Claude Code keeps blocks beside the structure", () => {
    const resource = { type: "resource", resource: { uri: "test://2", text: "Body" } };
    const result = { content: [text("Cold"), resource], structuredContent: city };
    expect(textsAs("claude-code", result)).toEqual(["Body", json]);
  });

  test("structure that an error loses is said to be missing, unless a text says the same", () => {
    expect(lossOf("qwen-cli-mcp-client", failed)).toBe(true);
    const same = { content: [text(json)], structuredContent: city, isError: true };
    expect(lossOf("qwen-cli-mcp-client", same)).toBe(false);
    expect(lossOf("qwen-cli-mcp-client", both)).toBe(false);
  });
});
