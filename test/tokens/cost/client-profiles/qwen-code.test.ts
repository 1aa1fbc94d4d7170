import { expect, test } from "bun:test";
import { qwenCode } from "#tokens/cost/client-profiles/qwen-code.ts";
import {
  readResult,
  refusal,
  shown,
  testReads,
  nullStructured,
  unknownBlock,
} from "../../../support/client-reads.ts";

const reported = (error: string, content: string) =>
  `MCP tool 'weather' reported tool error for function call: {"name":"weather","args":{"q":1}} with response: [{"functionResponse":{"name":"weather","response":{"error":${error},"content":${content}}}}]`;
const both = '[{"type":"text","text":"No such"},{"type":"text","text":"city"}]';
const textBlocks = '[{"type":"text","text":"No such city"}]';
const refused = `[{"type":"text","text":"${refusal}"}]`;

const label = (what: string) => `[Tool 'weather' provided the following ${what}]`;
const picture = label("image data with mime-type: image/png");
const attached = "(attached media from previous tool call)";

testReads(
  "qwen-cli-mcp-client-weather",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.\nSecond."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ['{"city":"Oslo","temp":3}\nCold in Oslo'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": [`Invalid result for tools/call: ${nullStructured}`],
    "an image": [`A map\n${picture}`, "image 640×480", attached],
    "an image beside structured content": [
      `{"city":"Oslo","temp":3}\nA map\n${picture}`,
      "image 640×480",
      attached,
    ],
    "an image that cannot be read": [
      `${label("image data with mime-type: image/bmp")}(attached media from previous tool call)`,
    ],
    sound: [`${label("audio data with mime-type: audio/wav")}\n[document: audio/wav]`],
    "a link": ["Resource Link: One at test://1"],
    "a resource with text": ["Body"],
    "a resource with bytes": [
      `${label("embedded resource with mime-type: application/zip")}\n[document: application/zip]`,
    ],
    "a block of an unknown kind": [`Invalid result for tools/call: ${unknownBlock}`],
    nothing: ["Tool 'weather' completed without any output."],
    "text for the user alone": ["Saved", "\nTwo rows"],
    "a tool error": [reported(`{"content":${both},"isError":true}`, both)],
    "a tool error with structured content": [
      reported(
        `{"content":${textBlocks},"structuredContent":{"code":7},"isError":true}`,
        textBlocks,
      ),
    ],
    "a JSON-RPC error": ["Unknown city"],
    "a refusal": [reported(`{"content":${refused},"isError":true}`, refused)],
    "a refusal as a JSON-RPC error": [refusal],
  },
);

const read = (length: number) =>
  readResult(qwenCode, { content: [{ type: "text", text: "x".repeat(length) }] });

test("an answer over 28,000 characters is saved; about 2,470 stay", () => {
  expect(read(28_000).limited).toBeUndefined();
  const { visible, limited } = read(28_001);
  expect(limited).toEqual({
    alert: "would_spill",
    value: 28_001,
    limit: 28_000,
    unit: "character",
  });
  const [left = ""] = shown(visible);
  expect(left).toContain(`\n\nPreview (up to 2000 chars):\n${"x".repeat(2_000)}\n...\n`);
  expect(Math.abs(left.length - 2_470)).toBeLessThan(100);
});

const image = {
  type: "image",
  data: "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC",
};

test("an error with an image has labels in the place of its JSON", () => {
  const content = [
    { type: "text", text: "No such" },
    { ...image, mimeType: "image/png" },
  ];
  const { visible } = readResult(qwenCode, { content, isError: true });
  const frame = `MCP tool 'weather' reported tool error for function call: {"name":"weather","args":{"q":1}} with response: `;
  expect(shown(visible)).toEqual([
    `${frame}No such\n${picture}\n[image/png]`,
    "image 640×480",
    attached,
  ]);
});

test("structured content and a text with the same JSON in another form are both shown", () => {
  const text = '{ "city": "Oslo" }';
  const spaced = { content: [{ type: "text", text }], structuredContent: { city: "Oslo" } };
  expect(shown(readResult(qwenCode, spaced).visible)).toEqual([`{"city":"Oslo"}\n${text}`]);
});

test("a tool that is not loaded is a name and the beginning of its description", () => {
  const { deferral, formatListing, formatTool, formatInstructions } = qwenCode.definitions;
  const tool = { name: "weather", description: "d".repeat(300) };
  expect(deferral).toBe("always");
  expect(formatListing(tool)).toBe(`- "mcp__server__weather": "${"d".repeat(120)}"\n`);
  expect(formatTool({ ...tool, inputSchema: { type: "object" } }, true)).toEqual({
    description: `<function>{"name":"mcp__server__weather","description":"${"d".repeat(300)}","parametersJsonSchema":{"type":"object"}}</function>\n`,
  });
  expect(formatInstructions("Be kind", true)).toBe(
    "<system-reminder>\nBe kind\n</system-reminder>",
  );
});
