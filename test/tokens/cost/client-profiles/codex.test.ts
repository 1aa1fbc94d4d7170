import { describe, expect, test } from "bun:test";
import { codex } from "#tokens/cost/client-profiles/codex.ts";
import {
  asked,
  readResult,
  refusal,
  refusalData,
  shown,
  testReads,
} from "../../../support/client-reads.ts";

const header = "Wall time: 0.0110 seconds\nOutput:";
const structured = 'Wall time: 0.0110 seconds\nOutput:\n{"city":"Oslo","temp":3}';
const failed = "tool call error: tool call failed for `server/weather`\n\nCaused by:\n    ";

testReads(
  "codex-mcp-client",
  { model: "gpt-5.5" },
  {
    text: [header, "Two rows"],
    "two texts": [header, "First.", "Second."],
    "the same twice": [structured],
    "different halves": [structured],
    "structured content alone": [structured],
    "structured content that is null": [header, "Two rows"],
    "an image": [header, "A map", "image 640×480"],
    "an image beside structured content": [structured],
    "an image that cannot be read": [
      header,
      "image content omitted because it could not be processed",
    ],
    sound: [header, "<audio content omitted because you do not support audio input>"],
    "a link": [
      header,
      '{"type":"resource_link","uri":"test://1","name":"one","title":"One","description":"The first"}',
    ],
    "a resource with text": [
      header,
      '{"type":"resource","resource":{"uri":"test://2","text":"Body"}}',
    ],
    "a resource with bytes": [
      header,
      `{"type":"resource","resource":{"uri":"test://3","mimeType":"application/zip","blob":"${"AAAA".repeat(512)}"}}`,
    ],
    "a block of an unknown kind": [header, `${failed}Unexpected response type`],
    nothing: [header],
    "text for the user alone": [header, "Saved", "Two rows"],
    "a tool error": [header, "No such", "city"],
    "a tool error with structured content": ['Wall time: 0.0110 seconds\nOutput:\n{"code":7}'],
    "a JSON-RPC error": [header, `${failed}Mcp error: -32602: Unknown city({"city":"Oslo"})`],
    "a refusal": [header, refusal],
    "a refusal as a JSON-RPC error": [
      header,
      `${failed}Mcp error: -31900: ${refusal}(${refusalData})`,
    ],
  },
);

const long = (length: number) => ({ content: [{ type: "text", text: "x".repeat(length) }] });

describe("codex and a long answer", () => {
  test.each([
    ["gpt-5.5", 48_000],
    ["gpt-4o", 12_000],
  ])("for %s has %i bytes, header included", (model, limit) => {
    const profile = codex({ model });
    const uncut = readResult(profile, long(limit - header.length));
    expect(uncut.limited).toBeUndefined();
    const { visible, limited } = readResult(profile, long(limit - header.length + 1));
    expect(limited).toEqual({ alert: "would_truncate", value: limit + 1, limit, unit: "byte" });
    const half = "x".repeat(limit / 2);
    const left = `${header}${half.slice(header.length)}…1 tokens truncated…${half}`;
    expect(shown(visible)).toEqual([left]);
  });
});

describe("codex in code mode", () => {
  const result = { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } };
  const read = (model: string | undefined, caller: object) =>
    readResult(codex({ model }), result, { ...asked, caller });

  test.each([
    [undefined, {}, true],
    ["gpt-5.6-sol", {}, true],
    ["gpt-6", {}, true],
    ["gpt-5.5", {}, false],
    ["gpt-4o", {}, false],
    ["gpt-5.5", { callId: "exec-1" }, true],
    [undefined, { callId: "call_1" }, false],
    [undefined, { model: "gpt-5.5" }, false],
    ["gpt-5.5", { model: "gpt-6" }, true],
  ])("a model %p that sends %j writes scripts: %p", (model, caller, isScripted) => {
    const { visible, wire, isScripted: found } = read(model, caller);
    expect(found === true).toBe(isScripted);
    if (isScripted) expect(visible).toEqual(wire);
  });

  test("is named as a rule of its own", () => {
    expect([codex({}).recordedAs, codex({ model: "gpt-5.5" }).recordedAs]).toEqual([
      "unknown",
      "structured-first",
    ]);
  });
});

describe("codex and definitions", () => {
  test("loses keywords that its API does not know, never names of parameters", () => {
    const inputSchema = {
      $schema: "x",
      type: "object",
      title: "Args",
      properties: {
        title: { type: "string", title: "Title", maxLength: 9, pattern: "a", description: "T" },
        kind: { const: "city" },
        seven: { const: 7, minLength: 2, "x-order": 1 },
        open: { type: "object", minProperties: 1, not: { type: "string" } },
        list: { type: "array", minItems: 1, items: { type: "number", minimum: 3, default: 4 } },
        either: { anyOf: [{ type: "string", format: "uri" }, { type: "null" }] },
        set: { enum: ["title", "default"] },
      },
      required: ["title"],
      $defs: { default: { type: "string", examples: ["a"] } },
    };
    expect(codex({}).definitions.formatTool({ name: "weather", inputSchema }, true)).toEqual({
      name: "mcp__server__weather",
      inputSchema: {
        type: "object",
        properties: {
          title: { type: "string", description: "T" },
          kind: { type: "string", enum: ["city"] },
          seven: { enum: [7] },
          open: { type: "object", properties: {} },
          list: { type: "array", minItems: 1, items: { type: "number" } },
          either: { anyOf: [{ type: "string" }, { type: "null" }] },
          set: { enum: ["title", "default"] },
        },
        required: ["title"],
        $defs: { default: { type: "string" } },
      },
    });
  });

  test("keeps one line for a server, and its instructions come with the first tool", () => {
    const { deferral, formatListing, formatInstructions, formatLoadedInstructions } = codex(
      {},
    ).definitions;
    expect([deferral, formatListing({ name: "weather" })]).toEqual(["always", ""]);
    expect(formatInstructions("i".repeat(251), true)).toBe(
      `- mcp__server: ${"i".repeat(247)}...\n`,
    );
    expect(formatInstructions("i".repeat(250), true)).toBe(`- mcp__server: ${"i".repeat(250)}\n`);
    expect(formatInstructions("Be kind\nand brief", true)).toBe("- mcp__server: Be kind\n");
    expect(formatLoadedInstructions("Be kind")).toBe("Be kind");
    expect(
      [codex({}), codex({ model: "gpt-5.5" })].map((profile) => profile.definitions),
    ).toMatchObject([{ repeatsInstructions: true }, { repeatsInstructions: false }]);
    const direct = codex({ model: "gpt-5.5" }).definitions;
    expect(direct.formatLoadedInstructions("Be kind")).toBe("mcp__server\nBe kind");
    expect(direct.formatTool({ name: "weather" }, true)["name"]).toBe("weather");
    const others = codex({ model: "gpt-4o" }).definitions;
    expect([others.deferral, others.formatInstructions("Be kind", false)]).toEqual([
      "never",
      "Be kind",
    ]);
  });

  test("survives a schema that is nested without end", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 5_000; level += 1) deep = { items: deep };
    const shownTool = codex({}).definitions.formatTool({ name: "t", inputSchema: deep }, true);
    expect(shownTool["name"]).toBe("mcp__server__t");
  });
});
