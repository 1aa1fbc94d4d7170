import { expect, test } from "bun:test";
import { continueCli } from "#tokens/cost/client-profiles/continue-cli.ts";
import {
  nullStructured,
  readResult,
  refusal,
  shown,
  testReads,
  unknownBlock,
} from "../../../support/client-reads.ts";

const opening = "Error executing tool weather: ";
const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const picture = `[{"type":"text","text":"A map"},{"type":"image","data":"${png}","mimeType":"image/png"}]`;
const bytes = "AAAA".repeat(512);

testReads(
  "continue-cli-client",
  {},
  {
    text: ['[{"type":"text","text":"Two rows"}]'],
    "two texts": ['[{"type":"text","text":"First."},{"type":"text","text":"Second."}]'],
    "the same twice": [String.raw`[{"type":"text","text":"{\"city\":\"Oslo\",\"temp\":3}"}]`],
    "different halves": ['[{"type":"text","text":"Cold in Oslo"}]'],
    "structured content alone": ["[]"],
    "structured content that is null": [opening + nullStructured],
    "an image": [picture],
    "an image beside structured content": [picture],
    "an image that cannot be read": ['[{"type":"image","data":"Qk0tbm90","mimeType":"image/bmp"}]'],
    sound: [`[{"type":"audio","data":"${bytes}","mimeType":"audio/wav"}]`],
    "a link": [
      '[{"type":"resource_link","uri":"test://1","name":"one","title":"One","description":"The first"}]',
    ],
    "a resource with text": ['[{"type":"resource","resource":{"uri":"test://2","text":"Body"}}]'],
    "a resource with bytes": [
      `[{"type":"resource","resource":{"uri":"test://3","mimeType":"application/zip","blob":"${bytes}"}}]`,
    ],
    "a block of an unknown kind": [opening + unknownBlock],
    nothing: ["[]"],
    "text for the user alone": [
      '[{"type":"text","text":"Saved"},{"type":"text","text":"Two rows"}]',
    ],
    "a tool error": ['[{"type":"text","text":"No such"},{"type":"text","text":"city"}]'],
    "a tool error with structured content": ['[{"type":"text","text":"No such city"}]'],
    "a JSON-RPC error": [`${opening}MCP error -32602: Unknown city`],
    "a refusal": [`[{"type":"text","text":"${refusal}"}]`],
    "a refusal as a JSON-RPC error": [`${opening}MCP error -31900: ${refusal}`],
  },
);

test("data that are not base64 are an error about every kind of block", () => {
  const image = { type: "image", data: "no base64!", mimeType: "image/png" };
  const [text = ""] = shown(readResult(continueCli, { content: [image] }).visible);
  expect(text).toStartWith(`${opening}[`);
  expect(text).toContain("Invalid Base64 string");
  expect(text).toContain('expected \\"resource_link\\"');
});

test("an answer of any length is whole", () => {
  const text = "x".repeat(200_000);
  const { visible, limited } = readResult(continueCli, { content: [{ type: "text", text }] });
  expect(limited).toBeUndefined();
  expect(shown(visible)).toEqual([`[{"type":"text","text":"${text}"}]`]);
});

test("a definition keeps its properties and what is required; instructions are not shown", () => {
  const { formatTool, formatInstructions } = continueCli.definitions;
  const properties = { q: { $ref: "#/$defs/q" } };
  const inputSchema = { type: "object", properties, required: ["q"], $defs: { q: {} } };
  const tool = { name: "weather", title: "Weather", description: "Of a city", inputSchema };
  expect(formatTool(tool, false)).toEqual({
    name: "weather",
    description: "Of a city",
    inputSchema: { type: "object", required: ["q"], properties },
  });
  expect(formatTool({ name: "weather" }, false)["inputSchema"]).toEqual({
    type: "object",
    properties: {},
  });
  expect(formatInstructions("Be kind", false)).toBe("");
});
