import { expect, test } from "bun:test";
import { clineCli } from "#tokens/cost/client-profiles/cline-cli.ts";
import { describeError } from "#tokens/cost/describe-calls.ts";
import { makeAnswerContext } from "#tokens/cost/visibility.ts";
import {
  asked,
  readerOf,
  readResult,
  refusal,
  shown,
  testReads,
} from "../../../support/client-reads.ts";

const reading = makeAnswerContext(readerOf(clineCli), asked);

const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const picture = `[{"type":"text","text":"A map"},{"type":"image","data":"${png}","mimeType":"image/png"}]`;
const bytes = "AAAA".repeat(512);
const city = '"structuredContent":{"city":"Oslo","temp":3}';

testReads(
  "@cline/core",
  {},
  {
    text: ['{"content":[{"type":"text","text":"Two rows"}]}'],
    "two texts": ['{"content":[{"type":"text","text":"First."},{"type":"text","text":"Second."}]}'],
    "the same twice": [
      String.raw`{"content":[{"type":"text","text":"{\"city\":\"Oslo\",\"temp\":3}"}],${city}}`,
    ],
    "different halves": [`{"content":[{"type":"text","text":"Cold in Oslo"}],${city}}`],
    "structured content alone": [`{"content":[],${city}}`],
    "structured content that is null": [
      '{"content":[{"type":"text","text":"Two rows"}],"structuredContent":null}',
    ],
    "an image": [`{"content":${picture}}`],
    "an image beside structured content": [`{"content":${picture},${city}}`],
    "an image that cannot be read": [
      '{"content":[{"type":"image","data":"Qk0tbm90","mimeType":"image/bmp"}]}',
    ],
    sound: [`{"content":[{"type":"audio","data":"${bytes}","mimeType":"audio/wav"}]}`],
    "a link": [
      '{"content":[{"type":"resource_link","uri":"test://1","name":"one","title":"One","description":"The first"}]}',
    ],
    "a resource with text": [
      '{"content":[{"type":"resource","resource":{"uri":"test://2","text":"Body"}}]}',
    ],
    "a resource with bytes": [
      `{"content":[{"type":"resource","resource":{"uri":"test://3","mimeType":"application/zip","blob":"${bytes}"}}]}`,
    ],
    "a block of an unknown kind": [
      '{"content":[{"type":"hologram","of":"me"},{"type":"text","text":"After"}]}',
    ],
    nothing: ['{"content":[]}'],
    "text for the user alone": [
      '{"content":[{"type":"text","text":"Saved","annotations":{"audience":["user"]}},{"type":"text","text":"Two rows"}]}',
    ],
    "a tool error": [
      '{"content":[{"type":"text","text":"No such"},{"type":"text","text":"city"}],"isError":true}',
    ],
    "a tool error with structured content": [
      '{"content":[{"type":"text","text":"No such city"}],"structuredContent":{"code":7},"isError":true}',
    ],
    "a JSON-RPC error": ['{"error":"Unknown city"}'],
    "a refusal": [`{"content":[{"type":"text","text":"${refusal}"}],"isError":true}`],
    "a refusal as a JSON-RPC error": [`{"error":"${refusal}"}`],
  },
);

const read = (length: number) => {
  const text = "x".repeat(length);
  return readResult(clineCli, { content: [{ type: "text", text }] });
};
const frame = '{"content":[{"type":"text","text":""}]}'.length;

test("of more than 8,000 characters of JSON both ends stay", () => {
  expect(read(8_000 - frame).limited).toBeUndefined();
  const { visible, limited } = read(8_001 - frame);
  expect(limited).toEqual({
    alert: "would_truncate",
    value: 8_001,
    limit: 8_000,
    unit: "character",
  });
  const [text = ""] = shown(visible);
  expect(text).toStartWith('{"content":[');
  expect(text).toContain("x\n\n...[truncated 33 chars]...\n\nx");
  expect(text).toEndWith('x"}]}');
});

test("_meta of a result is shown; an error without a message is a sentence", () => {
  const result = { content: [], _meta: { "example.org/page": 2 } };
  expect(shown(readResult(clineCli, result).visible)).toEqual([JSON.stringify(result)]);
  const { visible } = describeError("tools/call", { code: -32_602, message: "" }, reading);
  expect(shown(visible)).toEqual(['{"error":"MCP request failed with code -32602"}']);
});

test("a definition has the server's name ahead of its own; instructions are not shown", () => {
  const { formatTool, formatInstructions } = clineCli.definitions;
  expect(formatTool({ name: "weather" }, false)).toEqual({ name: "server__weather" });
  expect(formatInstructions("Be kind", false)).toBe("");
});
