import { describe, expect, test } from "bun:test";
import { fitResult } from "#meter/actions/fit-result.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { readMember } from "#wire/json.ts";
import { makeExcess, textsOf } from "../../support/excess.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { noRequestFacts } from "../../support/readings.ts";

const marker = (rest: string): string => `[${rest}]`;
const text = (of: string) => ({ type: "text", text: of });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };

function leftOf(content: readonly object[]): string[] {
  return textsOf(fitResult(makeExcess({ content }, 40), marker));
}

describe("fitResult", () => {
  test("keeps as much as fits, and not one character less", () => {
    const fitted = fitResult(makeExcess({ content: [text("x".repeat(300))] }, 50), marker);
    const [head = "", note = ""] = textsOf(fitted);
    expect(note).toBe(`[cut after ${head.length} of 300 characters]`);
    expect(Math.ceil(head.length / 3) + Math.ceil(note.length / 3)).toBe(50);
  });

  test("never cuts a code point in two", () => {
    for (let room = 15; room < 40; room += 1) {
      const fitted = fitResult(
        makeExcess({ content: [text("\u{1f600}".repeat(60))] }, room),
        marker,
      );
      expect(textsOf(fitted).length).toBeGreaterThan(0);
      for (const shown of textsOf(fitted)) expect(shown.isWellFormed()).toBe(true);
    }
  });

  test("states the number of characters that it kept, also where a code point had to go", () => {
    for (let room = 16; room < 40; room += 1) {
      const fitted = fitResult(
        makeExcess({ content: [text("\u{1f600}".repeat(60))] }, room),
        marker,
      );
      const texts = textsOf(fitted);
      const kept = texts.slice(0, -1).join("").length;
      expect(texts.at(-1)).toBe(`[cut after ${kept} of 120 characters]`);
    }
  });

  test("cuts the half that the client shows, and says how much that is", () => {
    const rows = "y".repeat(600);
    const result = { content: [text("Done.")], structuredContent: { rows } };
    const reader = plainReader("claude-code");
    const fitted = fitResult(makeExcess(result, 100, { reader }), marker);
    const [head = "", note] = textsOf(fitted);
    expect(`{"rows":"${rows}"}`).toStartWith(head);
    expect(head.length).toBeGreaterThan(200);
    expect(note).toBe(`[cut after ${head.length} of ${rows.length + 11} characters]`);
    expect(fitted).not.toHaveProperty("structuredContent");
  });

  test("leaves structuredContent to a client that does not show it beside the text", () => {
    const structuredContent = { rows: "y".repeat(600) };
    const result = { content: [text("x".repeat(300))], structuredContent, resultType: "complete" };
    for (const client of ["gemini-cli-mcp-client", "opencode", "cursor-vscode"]) {
      const reader = plainReader(client);
      const fitted = fitResult(makeExcess(result, 50, { reader }), marker);
      expect(fitted).toMatchObject({ structuredContent, resultType: "complete" });
      expect(fitted).not.toHaveProperty("isError");
      expect(textsOf(fitted).at(-1)).toMatch(/^\[cut after \d+ of 300 characters\]$/);
    }
  });

  test("is an error only where the client was promised the structure, or may have been", () => {
    const result = { content: [text("Done.")], structuredContent: { rows: "y".repeat(600) } };
    const definitions = {
      promised: { name: "promised", outputSchema: { type: "object" } },
      plain: { name: "plain" },
    };
    const tools = {
      find: (name: string) => Object.entries(definitions).find(([one]) => one === name)?.[1],
    };
    const reader = { ...plainReader("claude-code"), tools };
    const asking = (tool: string) => ({ reader, request: { ...noRequestFacts, tool } });
    const isError = (tool: string) =>
      readMember(fitResult(makeExcess(result, 100, asking(tool)), marker), "isError");
    expect([isError("promised"), isError("plain"), isError("unlisted")]).toEqual([
      true,
      undefined,
      true,
    ]);
  });

  test("cuts both halves where the client shows both, in its order", () => {
    const result = {
      content: [text("Cold in Oslo")],
      structuredContent: { rows: "y".repeat(600) },
    };
    const tools = { find: () => ({ name: "plain" }) };
    const request = { ...noRequestFacts, tool: "plain" };
    const read = (client: string, room = 100) => {
      const reader = { ...plainReader(client), tools };
      return textsOf(fitResult(makeExcess(result, room, { reader, request }), marker));
    };
    const note = expect.stringMatching(/^\[cut after \d{3} of 623 characters\]$/);
    const json = expect.stringMatching(/^\{"rows":"y+$/);
    expect(read("copilot-cli")).toEqual(["Cold in Oslo", json, note]);
    expect(read("jetbrains-iu-copilot-intellij")).toEqual(["Cold in Oslo", json, note]);
    // Its blocks may be read as JSON.
    expect(read("somebody", 170)).toEqual(["Cold in Oslo", json, note]);
    expect(read("qwen-cli-mcp-client")).toEqual([json, note]);
  });

  test("keeps no more than the client shows of an error, so that the note is true", () => {
    const result = { structuredContent: { rows: "y".repeat(40_000) } };
    const reader = plainReader("claude-code");
    const [head = "", note = ""] = textsOf(
      fitResult(makeExcess(result, 9_000, { reader }), marker),
    );
    expect(head.length).toBeWithin(9_900, 10_000);
    expect(note).toBe(`[cut after ${formatCount(head.length)} of 40,011 characters]`);
  });

  test("shows a result that is all structuredContent as its JSON", () => {
    const fitted = fitResult(
      makeExcess({ structuredContent: { rows: "y".repeat(300) } }, 50),
      marker,
    );
    expect(textsOf(fitted)[0]).toStartWith('{"rows":"yyy');
  });

  test("keeps the first blocks and what else they say", () => {
    const content = [{ ...text("first"), annotations: { priority: 1 } }, text("x".repeat(300))];
    expect(fitResult(makeExcess({ content }, 30), marker)).toMatchObject({
      content: [
        { text: "first", annotations: { priority: 1 } },
        { type: "text" },
        { type: "text" },
      ],
    });
  });

  test("cuts the text of a resource inside it", () => {
    const resource = { uri: "test://2", mimeType: "text/plain", text: "x".repeat(300) };
    const fitted = fitResult(makeExcess({ content: [{ type: "resource", resource }] }, 50), marker);
    expect(fitted).toMatchObject({
      content: [
        {
          type: "resource",
          resource: { uri: "test://2", text: expect.stringMatching(/^x{40,110}$/) },
        },
        { type: "text", text: expect.stringMatching(/^\[cut after \d+ of 300 characters\]$/) },
      ],
    });
  });

  test("names the blocks that it leaves out; those of an unknown kind are not cut as text", () => {
    const hologram = { type: "hologram", text: "z".repeat(300) };
    expect(leftOf([image])).toEqual(["[shown without 1 image]"]);
    expect(leftOf([text("short"), image, image])).toEqual(["short", "[shown without 2 images]"]);
    expect(leftOf([hologram])).toEqual(["[shown without 1 unknown block]"]);
    const empty = { type: "resource", resource: { uri: "test://2", text: "" } };
    expect(leftOf([empty])).toEqual(["[shown without 1 text]"]);
    expect(leftOf([text("x".repeat(300)), hologram])).toEqual([
      expect.stringMatching(/^x+$/),
      expect.stringMatching(
        /^\[cut after \d+ of 300 characters and shown without 1 unknown block\]$/,
      ),
    ]);
  });

  test("says nothing where nothing is missing", () => {
    // Claude Code rejects this answer as a whole, with an error of 220 characters.
    const result = { content: [text("short")], structuredContent: null };
    const reader = plainReader("claude-code");
    expect(textsOf(fitResult(makeExcess(result, 50, { reader }), marker))).toEqual(["short"]);
  });

  test("gives up where not even the marker fits", () => {
    expect(fitResult(makeExcess({ content: [text("x".repeat(300))] }, 1), marker)).toBeUndefined();
    expect(fitResult(makeExcess(null, 100), marker)).toBeUndefined();
  });
});
