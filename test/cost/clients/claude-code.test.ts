import { describe, expect, test } from "bun:test";
import { claudeCode } from "#cost/clients/claude-code.ts";
import { invalidBlocks, invalidStructured } from "#cost/clients/common.ts";
import { readingOf } from "#cost/reading.ts";
import { describeToolResult } from "#cost/visibility.ts";
import {
  asked,
  readerOf,
  readResult,
  shown,
  testReads,
  tokensIn,
} from "../../support/client-reads.ts";

const folder =
  "/home/user/.claude/projects/-home-user-projects-example-organisation-application/5f0c1e9a-7c43-4d53-9b5e-2f8f0f6f3c1d/tool-results";
const label = `[Image: source: ${folder}/mcp-server-image-1763769600000.png]`;
const saved = (what: string) =>
  `Binary content (${what}) saved to ${folder}/mcp-server-binary-1763769600000-5f0c1e9a7c434d539b5e.bin`;

testReads(
  "claude-code",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.", "Second."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ['{"city":"Oslo","temp":3}'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": [
      `MCP error -32602: Invalid tools/call result: ${invalidStructured()}`,
    ],
    "an image": ["A map", "image 640×480", label],
    "an image beside structured content": ["image 640×480", label, '{"city":"Oslo","temp":3}'],
    "an image that cannot be read": [saved("image/bmp, 0.0KB")],
    sound: [saved("audio/wav, 1.5KB")],
    "a link": ["[Resource link: one] test://1 (The first)"],
    "a resource with text": ["[Resource from server at test://2] Body"],
    "a resource with bytes": [saved("application/zip, 1.5KB")],
    "a block of an unknown kind": [
      `MCP error -32602: Invalid tools/call result: ${invalidBlocks()}`,
    ],
    nothing: ["(mcp__server__weather completed with no output)"],
    "text for the user alone": ["Saved", "Two rows"],
    "a tool error": ["No such\ncity"],
    "a tool error with structured content": ["No such city"],
    "a JSON-RPC error": ["Unknown city"],
  },
);

const text = (of: string) => ({ type: "text", text: of });
const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const image = { type: "image", data: png, mimeType: "image/png" };

function read(result: unknown, env: { [name: string]: string } = {}, room?: unknown) {
  const reader = readerOf(claudeCode({ env }));
  const tools = { find: () => ({ _meta: { "anthropic/maxResultSizeChars": room } }) };
  const reading = readingOf({ ...reader, tools }, asked);
  const { visible, limited } = describeToolResult(result, reading);
  return { texts: shown(visible), limited };
}

describe("claude-code and a long answer", () => {
  const line = "Oslo is cold today\n";
  const few = { MAX_MCP_OUTPUT_TOKENS: "1000" };

  test("of 50,000 characters is whole, at any number of tokens", () => {
    const dense = "漢".repeat(50_000);
    expect(read({ content: [text(dense)] })).toEqual({ texts: [dense], limited: undefined });
  });

  test("of 52,000 characters and few tokens is saved; its first 2 KB stay", () => {
    const { texts, limited } = read({ content: [text("abc ".repeat(13_000))] });
    expect(limited).toEqual({
      alert: "would_spill",
      value: 52_000,
      limit: 50_000,
      unit: "character",
    });
    const preview = `<persisted-output>\nOutput too large (50.8KB). Full output saved to: ${folder}/mcp-server-tool-1763769600000.txt\n\nPreview (first 2KB):\n${"abc ".repeat(500)}\n...\n</persisted-output>`;
    expect(texts).toEqual([preview]);
    // Measured: 2,260 characters.
    expect(Math.abs(preview.length - 2_260)).toBeLessThan(60);
  });

  test("of more tokens than the user allows becomes a note", () => {
    const { texts, limited } = read({ content: [text(line.repeat(300))] }, few);
    expect(limited).toMatchObject({ alert: "would_spill", limit: 1_000, unit: "token" });
    const note = texts.join("");
    expect(note).toStartWith(
      "Error: result (5,700 characters across 301 lines) exceeds maximum allowed tokens. Output has been saved to ",
    );
    // Measured: 1,350 to 1,460 characters.
    expect(note.length).toBeGreaterThan(1_200);
    expect(note.length).toBeLessThan(1_500);
  });

  test("with an image is cut when its tokens are too many, and else whole", () => {
    const many = { content: [text(line.repeat(300)), image] };
    const { texts, limited } = read(many, few);
    expect(limited).toMatchObject({ alert: "would_truncate", limit: 1_000, unit: "token" });
    expect(texts).toEqual([line.repeat(300).slice(0, 4_000), "image 640×480"]);
    expect(read({ content: [text("abc ".repeat(13_000)), image] }).limited).toBeUndefined();
  });

  test.each([
    [200_000, 150_000, undefined],
    [200_000, 200_001, 200_000],
    [1e9, 500_001, 500_000],
    ["500000", 52_000, 50_000],
    [-1, 52_000, 50_000],
  ])("of a tool that asks for %p characters and sends %i", (room, sent, limit) => {
    const { limited } = read({ content: [text("abc ".repeat(sent).slice(0, sent))] }, {}, room);
    expect(limited?.limit).toBe(limit);
  });

  test("that is an error loses its middle beyond 10,000 characters", () => {
    const long = `${"a".repeat(8_000)}${"b".repeat(8_000)}`;
    const { visible } = readResult(claudeCode({}), { content: [text(long)], isError: true });
    expect(shown(visible)).toEqual([
      `${"a".repeat(5_000)}\n\n... [6000 characters truncated] ...\n\n${"b".repeat(5_000)}`,
    ]);
    const silent = readResult(claudeCode({}), { content: [image], isError: true });
    expect(shown(silent.visible)).toEqual(["Unknown error"]);
  });
});

test("the texts about files cost about what was measured", () => {
  expect(tokensIn([label])).toBeWithin(65, 101);
  expect(tokensIn([saved("audio/wav, 7.9KB")])).toBeWithin(90, 126);
});

describe("claude-code and definitions", () => {
  const tool = { name: "weather", description: "d".repeat(6_000), inputSchema: { type: "object" } };

  test.each([
    [{}, "always"],
    [{ ENABLE_TOOL_SEARCH: "false" }, "never"],
    [{ ENABLE_TOOL_SEARCH: "true" }, "always"],
    [{ ENABLE_TOOL_SEARCH: "auto" }, { overPercent: 10 }],
    [{ ENABLE_TOOL_SEARCH: " AUTO:5 " }, { overPercent: 5 }],
  ] as const)("%j defers them: %j", (env, deferral) => {
    expect(claudeCode({ env }).definitions.deferral).toEqual(deferral);
  });

  test("names stand for them; one that is loaded is whole, one that is not deferred is cut", () => {
    const { form, listing, instructions, loadedInstructions } = claudeCode({}).definitions;
    expect(listing(tool)).toBe("mcp__server__weather\n");
    expect(form(tool, true)).toEqual({ ...tool, name: "mcp__server__weather" });
    expect(form(tool, false)["description"]).toBe(`${"d".repeat(4_096)}… [truncated]`);
    expect(instructions("i".repeat(5_000), true)).toBe(`${"i".repeat(4_096)}… [truncated]`);
    expect(loadedInstructions("Be kind")).toBe("");
  });
});
