import { expect, test } from "bun:test";
import { findProfile } from "#cost/clients.ts";
import { contentParts, jsonPart, type Part, resourceContentParts } from "#cost/part.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";

/** Parts as short sentences: texts as they are, media by their size. */
function shown(parts: readonly Part[]): readonly string[] {
  return parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "audio") return `audio of ${part.seconds ?? "unknown"} s`;
    return part.size ? `image ${part.size.width}×${part.size.height}` : "image of unread size";
  });
}

const blob = { uri: "file:///a.bin", blob: "AAAA", mimeType: "application/pdf", _meta: { a: 1 } };
const note = { uri: "file:///a.txt", text: "Hello" };
const picture = { uri: "file:///a.png", blob: png, mimeType: "image/png" };
const sound = { uri: "file:///a.wav", blob: "AAAA", mimeType: "audio/wav" };
const link = {
  type: "resource_link",
  uri: "file:///a",
  name: "a",
  description: "An a",
  mimeType: "text/plain",
};
const embed = (resource: unknown) => ({ type: "resource", resource });

const blocks: readonly (readonly [
  client: string,
  what: string,
  block: unknown,
  parts: readonly string[],
])[] = [
  ["Zed", "a resource with text", embed(note), ["file:///a.txt\nHello"]],
  ["Zed", "a resource link", link, ["file:///a\na\nAn a"]],
  ["Zed", "a bare resource link", { type: "resource_link", uri: "file:///a" }, ["file:///a"]],
  ["claude-code", "a blob is saved", embed(blob), ["file:///a.bin application/pdf"]],
  [
    "claude-code",
    "a picture in a blob",
    embed(picture),
    ["file:///a.png image/png", "image 640×480"],
  ],
  ["claude-code", "sound in a blob is saved", embed(sound), ["file:///a.wav audio/wav"]],
  [
    "gemini-cli-mcp-client",
    "sound in a blob is shown",
    embed(sound),
    ["file:///a.wav audio/wav", "audio of unknown s"],
  ],
  [
    "codex",
    "a blob as raw JSON",
    embed({ uri: "a", blob: "AAAA" }),
    ['{"type":"resource","resource":{"uri":"a","blob":"AAAA"}}'],
  ],
  [
    "codex",
    "a link as raw JSON",
    { type: "resource_link", uri: "a", _meta: {} },
    ['{"type":"resource_link","uri":"a"}'],
  ],
  [
    "Zed",
    "a resource of neither",
    embed({ uri: "a" }),
    ['{"type":"resource","resource":{"uri":"a"}}'],
  ],
  ["Zed", "sound", { type: "audio", data: "AAAA", mimeType: "audio/wav" }, ["audio of unknown s"]],
  [
    "Zed",
    "an image that cannot be read",
    { type: "image", data: "AAAA" },
    ["image of unread size"],
  ],
  ["Zed", "an image without data", { type: "image" }, ['{"type":"image"}']],
  ["Zed", "a text without text", { type: "text" }, [""]],
  [
    "Zed",
    "media of a new kind without its bytes",
    { type: "video", data: "AAAA", mimeType: "video/mp4", _meta: 1 },
    ['{"type":"video","mimeType":"video/mp4"}'],
  ],
  ["Zed", "a block of a new kind", { type: "table", data: "a" }, ['{"type":"table","data":"a"}']],
  ["Zed", "no block", 7, ["7"]],
];

test.each(blocks)("contentParts, %s: %s", (client, _what, block, parts) => {
  const found = contentParts([block], findProfile(client));
  expect(shown(found)).toEqual([...parts]);
  expect(found.every((part) => part.block === block)).toBe(true);
});

test("resourceContentParts: the contents of resources/read, as if they were embedded", () => {
  const parts = resourceContentParts([note, blob, 7], findProfile("Zed"));
  expect(shown(parts)).toEqual([
    "file:///a.txt\nHello",
    "file:///a.bin application/pdf",
    '{"type":"resource","resource":7}',
  ]);
});

test("jsonPart is the compact JSON, of a block when there is one", () => {
  expect(jsonPart({ a: [1, null] })).toEqual({ kind: "text", text: '{"a":[1,null]}' });
  expect(jsonPart(7, "block")).toEqual({ kind: "text", text: "7", block: "block" });
});
