import { describe, expect, test } from "bun:test";
import { geminiCli as profileOf } from "#tokens/cost/client-profiles/gemini-cli.ts";
import {
  readResult,
  refusal,
  shown,
  testReads,
  tokensIn,
  nullStructured,
  unknownBlock,
} from "../../../support/client-reads.ts";

const geminiCli = profileOf({});
const wrapped = (text: string) => `<untrusted_context>\n${text}\n</untrusted_context>`;
const reported = (response: string) =>
  `MCP tool 'weather' reported tool error for function call: {"name":"weather","args":{"q":1}} with response: [{"functionResponse":{"name":"weather","response":${response}}}]`;
const rejected = (reason: string) =>
  reported(`{"error":{"message":${JSON.stringify(reason)},"isError":true}}`);
const label = (what: string) => `[Tool 'weather' provided the following ${what}]`;

testReads(
  "gemini-cli-mcp-client",
  {},
  {
    text: [wrapped("Two rows")],
    "two texts": [`${wrapped("First.")}\n${wrapped("Second.")}`],
    "the same twice": [wrapped('{"city":"Oslo","temp":3}')],
    "different halves": [wrapped("Cold in Oslo")],
    "structured content alone": [],
    "structured content that is null": [rejected(nullStructured)],
    "an image": [
      `${wrapped("A map")}\n${label("image data with mime-type: image/png")}`,
      "image 640×480",
    ],
    "an image beside structured content": [
      `${wrapped("A map")}\n${label("image data with mime-type: image/png")}`,
      "image 640×480",
    ],
    "an image that cannot be read": [label("image data with mime-type: image/bmp")],
    sound: [
      `[SYSTEM: Binary content (audio/wav) stripped from response due to protocol limitations.]\n${label("audio data with mime-type: audio/wav")}`,
    ],
    "a link": ["Resource Link: One at test://1"],
    "a resource with text": [wrapped("Body")],
    "a resource with bytes": [
      label("embedded resource with mime-type: application/zip"),
      "image of unknown size",
    ],
    "a block of an unknown kind": [rejected(unknownBlock)],
    nothing: [],
    "text for the user alone": [
      "<untrusted_context>\n",
      "Saved",
      "\n</untrusted_context>\n<untrusted_context>\nTwo rows\n</untrusted_context>",
    ],
    "a tool error": [
      reported(
        '{"content":[{"type":"text","text":"No such"},{"type":"text","text":"city"}],"isError":true}',
      ),
    ],
    "a tool error with structured content": [
      reported(
        '{"content":[{"type":"text","text":"No such city"}],"structuredContent":{"code":7},"isError":true}',
      ),
    ],
    "a JSON-RPC error": [
      reported('{"error":{"message":"MCP error -32602: Unknown city","isError":true}}'),
    ],
    "a refusal": [reported(`{"content":[{"type":"text","text":"${refusal}"}],"isError":true}`)],
    "a refusal as a JSON-RPC error": [rejected(`MCP error -31900: ${refusal}`)],
  },
);

const text = (of: string) => ({ type: "text", text: of });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };

describe("gemini-cli and a long answer", () => {
  test("of 39,959 characters is whole, of one more it is cut", () => {
    expect(readResult(geminiCli, { content: [text("x".repeat(39_959))] }).limited).toBeUndefined();
    const { visible, limited } = readResult(geminiCli, { content: [text("x".repeat(39_960))] });
    expect(limited).toEqual({
      alert: "would_truncate",
      value: 40_001,
      limit: 40_000,
      unit: "character",
    });
    const [left = ""] = shown(visible);
    expect(left).toStartWith(
      "Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /home/user/",
    );
    const head = `.txt\n<untrusted_context>\n${"x".repeat(7_980)}\n\n`;
    expect(left).toContain(`${head}... [1 characters omitted] ...\n\nxx`);
    expect(left).toEndWith(`${"x".repeat(31_979)}\n</untrusted_context>`);
  });

  test.each([
    ["two texts", { content: [text("x".repeat(25_000)), text("y".repeat(25_000))] }],
    ["a text and an image", { content: [text("x".repeat(60_000)), image] }],
    ["an error", { content: [text("x".repeat(60_000))], isError: true }],
  ])("of %s is never cut", (_name, result) => {
    expect(readResult(geminiCli, result).limited).toBeUndefined();
  });
});

const makeResult = (content: string, more: object = {}) => ({ content: [text(content)], ...more });
const showResult = (result: object, version = "0.60.2") =>
  shown(readResult(profileOf({ version }), result).visible).join("");

test("version 0.61 rejects a first text in JSON that is not an object; of others it counts whole", () => {
  for (const content of ["[1, 2]", '"a"', "7", " true\n", "null"]) {
    expect(showResult(makeResult(content))).toBe(wrapped(content));
    expect(showResult(makeResult(content), "0.61.0")).toContain("expected record, received ");
    expect(showResult(makeResult(content), "0.62.0")).toBe(wrapped(content));
  }
  expect(showResult(makeResult('{"a":1}'), "0.61.0")).toBe(wrapped('{"a":1}'));
  expect(showResult(makeResult("[1]", { structuredContent: {} }), "0.61.0")).toBe(wrapped("[1]"));
});

test("an error in JSON is quoted twice", () => {
  const content = '{ "code": 7 }';
  const copy = makeResult(content, { isError: true, structuredContent: { code: 7 } });
  expect(showResult(makeResult(content, { isError: true }))).toBe(reported(JSON.stringify(copy)));
  expect(showResult(makeResult(content))).toBe(wrapped(content));
});

test("the frames cost about what was measured", () => {
  expect(tokensIn([wrapped("")])).toBeWithin(9, 14);
  expect(tokensIn([label("image data with mime-type: image/png")])).toBeWithin(17, 22);
});

test("a definition gets a parameter of about 59 tokens and another name", () => {
  const { formatTool } = geminiCli.definitions;
  const inputSchema = { type: "object", properties: { city: { type: "string" } } };
  const shownTool = formatTool({ name: "weather", inputSchema }, false);
  expect(shownTool["name"]).toBe("mcp_server_weather");
  const [before, after] = [inputSchema, shownTool["inputSchema"]].map((schema) =>
    JSON.stringify(schema),
  );
  expect(tokensIn([after ?? ""]) - tokensIn([before ?? ""])).toBeWithin(54, 64);
  const long = formatTool({ name: "n".repeat(80) }, false)["name"];
  expect(long).toBe(`mcp_server_${"n".repeat(19)}...${"n".repeat(30)}`);
});
