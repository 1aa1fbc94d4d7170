import { describe, expect, test } from "bun:test";
import { claudeCode } from "#tokens/cost/client-profiles/claude-code.ts";
import { makeAnswerContext, describeToolResult } from "#tokens/cost/visibility.ts";
import {
  asked,
  readResult,
  readerOf,
  refusal,
  shown,
  testReads,
  tokensIn,
  nullStructured,
  unknownBlock,
} from "../../../support/client-reads.ts";

const folder =
  "/home/user/.claude/projects/-home-user-projects-example-organisation-application/8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a/tool-results";
const blob = `${folder}/mcp-server-blob-1763769600000-zsobi2`;
const label = `[Image: source: ${blob}.png]`;
const saved = (what: string) => `Binary content (${what}) saved to ${blob}.bin`;
const malformed =
  'MCP server "server" returned a malformed result that failed schema validation: Invalid result for tools/call: ';

testReads(
  "claude-code",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.", "Second."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ['{"city":"Oslo","temp":3}'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": [`${malformed}${nullStructured}`],
    "an image": ["A map", "image 640×480", label],
    "an image beside structured content": ["image 640×480", label, '{"city":"Oslo","temp":3}'],
    "an image that cannot be read": [`[Image from server] ${saved("image/bmp, 6 bytes")}`],
    sound: [`[Audio from server] ${saved("audio/wav, 1.5KB")}`],
    "a link": ["[Resource link: one] test://1 (The first)"],
    "a resource with text": ["[Resource from server at test://2] Body"],
    "a resource with bytes": [
      `[Resource from server at test://3] ${saved("application/zip, 1.5KB")}`,
    ],
    "a block of an unknown kind": [`${malformed}${unknownBlock}`],
    nothing: ["(mcp__server__weather completed with no output)"],
    "text for the user alone": ["Saved", "Two rows"],
    "a tool error": ["No such\ncity"],
    "a tool error with structured content": ["No such city"],
    "a JSON-RPC error": ["Unknown city"],
    "a refusal": [refusal],
    "a refusal as a JSON-RPC error": [refusal],
  },
  { "structured content that is null": ["Two rows"] },
);

const text = (of: string) => ({ type: "text", text: of });
const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const image = { type: "image", data: png, mimeType: "image/png" };

function read(result: unknown, env: { [name: string]: string } = {}, room?: unknown) {
  const reader = readerOf(claudeCode({ env }));
  const tools = { find: () => ({ _meta: { "anthropic/maxResultSizeChars": room } }) };
  const reading = makeAnswerContext({ ...reader, tools }, asked);
  const { visible, limited } = describeToolResult(result, reading);
  return { texts: shown(visible), limited };
}

const preview = (file: string, head: string) =>
  `<persisted-output>\nOutput too large (50.8KB). Full output saved to: ${folder}/toolu_01TTfR5pGUugUEpKxt8ttzJn.${file}\n\nPreview (first 2KB):\n${head}\n...\n</persisted-output>`;

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
    const opened = '[\n  {\n    "type": "text",\n    "text": "';
    const head = opened + "abc ".repeat(500).slice(0, 2_000 - opened.length);
    expect(texts).toEqual([preview("json", head)]);
    const two = read({ content: [text("a"), text("abc ".repeat(13_000))] });
    expect(two.texts.join("")).toContain(
      '"text": "a"\n  },\n  {\n    "type": "text",\n    "text": "abc ',
    );
    const structured = read({ content: [], structuredContent: { all: "abc ".repeat(13_000) } });
    expect(structured.limited?.value).toBe(52_010);
    expect(structured.texts.join("")).toContain(`\n{"all":"${"abc ".repeat(498)}\n...\n`);
    expect(structured.texts.join("")).toContain("toolu_01TTfR5pGUugUEpKxt8ttzJn.txt");
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
    expect(note.length).toBeLessThan(1_600);
    expect(note).toContain("Use offset and limit parameters to read");
    const oneLine = read({ content: [text("§1k§2m§3x".repeat(1_000))] }, few).texts.join("");
    expect(oneLine).toContain("this file's lines are too long for Read's offset/limit chunking");
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
    const { visible, limited } = readResult(claudeCode({}), {
      content: [text(long)],
      isError: true,
    });
    const facts = { alert: "would_truncate", value: 16_000, limit: 10_000 } as const;
    expect(limited).toEqual({ ...facts, unit: "character" });
    expect(shown(visible)).toEqual([
      `${"a".repeat(5_000)}\n\n... [6000 characters truncated] ...\n\n${"b".repeat(5_000)}`,
    ]);
    const silent = readResult(claudeCode({}), { content: [image], isError: true });
    expect(shown(silent.visible)).toEqual(["Unknown error"]);
    const uncut = readResult(claudeCode({}), {
      content: [text("a".repeat(10_000))],
      isError: true,
    });
    expect([shown(uncut.visible), uncut.limited]).toEqual([["a".repeat(10_000)], undefined]);
  });
});

test("the texts about files cost about what was measured", () => {
  expect(tokensIn([label])).toBeWithin(65, 101);
  expect(tokensIn([`[Audio from server] ${saved("audio/wav, 7.9KB")}`])).toBeWithin(75, 101);
});

describe("claude-code and definitions", () => {
  const tool = { name: "weather", description: "d".repeat(6_000), inputSchema: { type: "object" } };

  test.each([
    [{}, "always"],
    [{ ENABLE_TOOL_SEARCH: "false" }, "never"],
    [{ ENABLE_TOOL_SEARCH: "true" }, "always"],
    [{ ENABLE_TOOL_SEARCH: "auto" }, { overPercent: 10, clientTokens: 6_860 }],
    [{ ENABLE_TOOL_SEARCH: " AUTO:5 " }, { overPercent: 5, clientTokens: 6_860 }],
  ] as const)("%j defers them: %j", (env, deferral) => {
    expect(claudeCode({ env }).definitions.deferral).toEqual(deferral);
  });

  test.each([
    [true, true],
    [false, false],
    ["true", false],
    [undefined, false],
  ])("alwaysLoad %p is loaded from the start: %p", (setting, expected) => {
    const { isPreloaded } = claudeCode({}).definitions;
    expect(isPreloaded?.({ ...tool, _meta: { "anthropic/alwaysLoad": setting } })).toBe(expected);
  });

  test("names stand for them; descriptions are cut, later for one that is loaded on demand", () => {
    const { formatTool, formatListing, formatInstructions, formatLoadedInstructions } = claudeCode(
      {},
    ).definitions;
    expect(formatListing(tool)).toBe("mcp__server__weather\n");
    expect(formatTool(tool, true)).toEqual({ ...tool, name: "mcp__server__weather" });
    const longest = formatTool({ ...tool, description: "d".repeat(20_000) }, true);
    expect(longest["description"]).toBe(`${"d".repeat(16_384)}… [truncated]`);
    expect(formatTool(tool, false)["description"]).toBe(`${"d".repeat(4_096)}… [truncated]`);
    expect(formatInstructions("i".repeat(5_000), true)).toBe(`${"i".repeat(4_096)}… [truncated]`);
    expect(formatLoadedInstructions("Be kind")).toBe("");
  });
});

test("its session is the one that its environment names", () => {
  expect(claudeCode({ env: { CLAUDE_CODE_SESSION_ID: "s-1" } }).clientSessionId).toBe("s-1");
  expect(claudeCode({}).clientSessionId).toBeUndefined();
});
