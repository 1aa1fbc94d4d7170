import { expect, test } from "bun:test";
import { copilotCli } from "#tokens/cost/client-profiles/copilot-cli.ts";
import { readResult, refusal, shown, testReads } from "../../../support/client-reads.ts";

testReads(
  "copilot-cli",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.Second."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ['Cold in Oslo{"city":"Oslo","temp":3}'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": ["Two rows"],
    "an image": ["A map", "image 640×480"],
    "an image beside structured content": ["A map", "image 640×480", '{"city":"Oslo","temp":3}'],
    "an image that cannot be read": [
      "[MCP image omitted because its data was invalid or its MIME type unsupported]",
    ],
    sound: [],
    "a link": [],
    "a resource with text": ["Body"],
    "a resource with bytes": [],
    "a block of an unknown kind": [
      `MCP server 'server': MCP request failed: expected CallToolResult from tools/call, got CustomResult(CustomResult(Object {"content": Array [Object {"type": String("hologram"), "of": String("me")}, Object {"type": String("text"), "text": String("After")}]}))`,
    ],
    nothing: [],
    "text for the user alone": ["Saved", "Two rows"],
    "a tool error": ["MCP server 'server': No suchcity"],
    "a tool error with structured content": [`MCP server 'server': No such city{"code":7}`],
    "a JSON-RPC error": ["MCP server 'server': McpError: MCP error -32602: Unknown city"],
    "a refusal": [`MCP server 'server': ${refusal}`],
    "a refusal as a JSON-RPC error": [
      `MCP server 'server': McpError: MCP error -31900: ${refusal}`,
    ],
  },
);

const read = (text: string, more: object = {}) =>
  readResult(copilotCli({}), { content: [{ type: "text", text }], ...more });

test("an answer over 20,480 bytes is saved, and so is an error; about 839 characters stay", () => {
  expect(read("x".repeat(20_480)).limited).toBeUndefined();
  const { visible, limited } = read("x".repeat(20_481));
  const facts = { alert: "would_spill", value: 20_481, limit: 20_480, unit: "byte" } as const;
  expect(limited).toEqual(facts);
  const [left = ""] = shown(visible);
  expect(left).toEndWith(`\n\nPreview (first 500 chars):\n${"x".repeat(500)}`);
  expect(Math.abs(left.length - 839)).toBeLessThan(20);
  expect(read("城".repeat(6_826)).limited).toBeUndefined();
  expect(read("城".repeat(6_827)).limited).toEqual(facts);
  expect(read("x".repeat(60_000), { isError: true }).limited?.alert).toBe("would_spill");
});

const resource = (of: object) => ({ type: "resource", resource: { uri: "a://b", ...of } });

const showContent = (content: readonly object[], isError: boolean): readonly string[] =>
  shown(readResult(copilotCli({}), { content, isError }).visible);

test("an error shows the text of a resource; a PDF reaches the model, another file does not", () => {
  expect(showContent([resource({ text: "Body" })], true)).toEqual(["MCP server 'server': Body"]);
  const pdf = { blob: "JVBERi0=", mimeType: "application/pdf" };
  expect(showContent([resource(pdf)], false)).toEqual(["image of unknown size"]);
  expect(showContent([resource({ ...pdf, mimeType: "application/zip" })], false)).toEqual([]);
});

test("models of Claude find definitions by search, all others get them at once", () => {
  const claude = copilotCli({ model: "claude-sonnet-5" }).definitions;
  const gpt = copilotCli({ model: "gpt-5" }).definitions;
  expect([claude.deferral, claude.formatInstructions("Be kind", true)]).toEqual([
    "always",
    "Be kind",
  ]);
  expect([gpt.deferral, gpt.formatInstructions("Be kind", false)]).toEqual(["never", ""]);
  expect(claude.formatListing({ name: "weather" })).toBe("server-weather\n");
  expect(gpt.formatTool({ name: "weather" }, false)).toEqual({ name: "server-weather" });
});

const listTexts = (result: object) => shown(readResult(copilotCli({}), result).visible);

test("an error without a text is a sentence; a rejected answer is repeated with its types", () => {
  expect(listTexts({ content: [], isError: true })).toEqual([
    "MCP server 'server': Tool execution failed",
  ]);
  const content = [{ type: "hologram", size: 3, isNew: true, of: null }];
  expect(listTexts({ content }).join("")).toEndWith(
    `got CustomResult(CustomResult(Object {"content": Array [Object {"type": String("hologram"), "size": Number(3), "isNew": Bool(true), "of": Null}]}))`,
  );
});

test("constraints of a schema are in descriptions, as 1.0.102 sent them", () => {
  const inputSchema = {
    type: "object",
    properties: {
      city: { type: "string", minLength: 1, maxLength: 80, examples: ["Oslo"] },
      zone: { type: "string", description: "Time zone", pattern: "^[A-Z]", default: "UTC" },
      height: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      names: { type: "object", minProperties: 1, propertyNames: { maxLength: 9 } },
      since: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
      pattern: { type: "string" },
      other: { not: { type: "string" } },
    },
    required: ["city"],
    additionalProperties: false,
  };
  const { formatTool } = copilotCli({}).definitions;
  expect(formatTool({ name: "weather", inputSchema }, false)).toEqual({
    name: "server-weather",
    inputSchema: {
      ...inputSchema,
      properties: {
        city: { type: "string", examples: ["Oslo"], description: "{minLength: 1, maxLength: 80}" },
        zone: {
          type: "string",
          default: "UTC",
          description: 'Time zone\n\n{pattern: "^[A-Z]"}',
        },
        height: { type: "number", description: "{multipleOf: 0.5, exclusiveMinimum: 0}" },
        names: {
          type: "object",
          description: '{propertyNames: {"maxLength":9}, minProperties: 1}',
        },
        since: {
          anyOf: [{ type: "string", description: '{format: "date"}' }, { type: "null" }],
        },
        pattern: { type: "string" },
        other: { description: '{not: {"type":"string"}}' },
      },
    },
  });
});
