import { expect, test } from "bun:test";
import { qwenCode } from "#cost/clients/qwen-code.ts";
import { readResult, refusal, shown, testDeclares, testReads } from "../../support/client-reads.ts";

const reported = (error: string, content: string) =>
  `MCP tool 'weather' reported tool error for function call: {"name":"weather","args":{"q":1}} with response: [{"functionResponse":{"name":"weather","response":{"error":${error},"content":${content}}}}]`;
const both = '[{"type":"text","text":"No such"},{"type":"text","text":"city"}]';
const one = '[{"type":"text","text":"No such city"}]';
const refused = `[{"type":"text","text":"${refusal}"}]`;

testReads(
  "qwen-cli-mcp-client-weather",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.\nSecond."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ['{"city":"Oslo","temp":3}\nCold in Oslo'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": ["Two rows"],
    "an image": ["A map", "image 640×480"],
    "an image beside structured content": ['{"city":"Oslo","temp":3}\nA map', "image 640×480"],
    "an image that cannot be read": ["image of unknown size"],
    sound: ["sound"],
    "a link": ["Resource Link: One at test://1"],
    "a resource with text": ["Body"],
    "a resource with bytes": ["test://3 application/zip"],
    "a block of an unknown kind": ['{"type":"hologram","of":"me"}\nAfter'],
    nothing: ["Tool 'weather' completed without any output."],
    // A text for the user keeps a price of its own, of which the overhead is made.
    "text for the user alone": ["Saved", "\nTwo rows"],
    "a tool error": [reported(`{"content":${both},"isError":true}`, both)],
    "a tool error with structured content": [
      reported(`{"content":${one},"structuredContent":{"code":7},"isError":true}`, one),
    ],
    "a JSON-RPC error": ["MCP error -32602: Unknown city"],
    "a refusal": [reported(`{"content":${refused},"isError":true}`, refused)],
    "a refusal as a JSON-RPC error": [`MCP error -31900: ${refusal}`],
  },
);

testDeclares(
  "qwen-cli-mcp-client-weather",
  {},
  {
    order: "structured-then-content",
    besideStructured: [],
    showsUserOnly: true,
    resourcesAsJson: false,
    limit: "28000 characters",
    deferral: "always",
    ownArguments: [],
    trialNames: [],
    spillPlace: "state",
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

test("a tool that is not loaded is a name and the beginning of its description", () => {
  const { deferral, listing, form, instructions } = qwenCode.definitions;
  const tool = { name: "weather", description: "d".repeat(300) };
  expect(deferral).toBe("always");
  expect(listing(tool)).toBe(`- mcp__server__weather: ${"d".repeat(120)}\n`);
  expect(form(tool, true)).toEqual({ ...tool, name: "mcp__server__weather" });
  expect(instructions("Be kind", true)).toBe("<system-reminder>\nBe kind\n</system-reminder>");
});
