import { expect, test } from "bun:test";
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
  isJson: boolean,
  what: string,
  block: unknown,
  parts: readonly string[],
])[] = [
  [false, "a resource with text", embed(note), ["file:///a.txt\nHello"]],
  [false, "a resource link", link, ["file:///a\na\nAn a"]],
  [false, "a bare resource link", { type: "resource_link", uri: "file:///a" }, ["file:///a"]],
  [false, "a blob is saved", embed(blob), ["file:///a.bin application/pdf"]],
  [false, "a picture in a blob", embed(picture), ["file:///a.png image/png", "image 640×480"]],
  [false, "sound in a blob", embed(sound), ["file:///a.wav audio/wav"]],
  [
    true,
    "a blob as raw JSON",
    embed({ uri: "a", blob: "AAAA" }),
    ['{"type":"resource","resource":{"uri":"a","blob":"AAAA"}}'],
  ],
  [
    true,
    "a link as raw JSON",
    { type: "resource_link", uri: "a", _meta: {} },
    ['{"type":"resource_link","uri":"a"}'],
  ],
  [
    false,
    "a resource of neither",
    embed({ uri: "a" }),
    ['{"type":"resource","resource":{"uri":"a"}}'],
  ],
  [false, "sound", { type: "audio", data: "AAAA", mimeType: "audio/wav" }, ["audio of unknown s"]],
  [
    false,
    "an image that cannot be read",
    { type: "image", data: "AAAA" },
    ["image of unread size"],
  ],
  [false, "an image without data", { type: "image" }, ['{"type":"image"}']],
  [false, "a text without text", { type: "text" }, [""]],
  [
    false,
    "media of a new kind without its bytes",
    { type: "video", data: "AAAA", mimeType: "video/mp4", _meta: 1 },
    ['{"type":"video","mimeType":"video/mp4"}'],
  ],
  [false, "a block of a new kind", { type: "table", data: "a" }, ['{"type":"table","data":"a"}']],
  [false, "no block", 7, ["7"]],
];

test.each(blocks)("contentParts, as JSON %p: %s", (isJson, _what, block, parts) => {
  const found = contentParts([block], isJson);
  expect(shown(found)).toEqual([...parts]);
  expect(found.every((part) => part.block === block)).toBe(true);
});

test("resourceContentParts: the contents of resources/read, as if they were embedded", () => {
  const parts = resourceContentParts([note, blob, 7], false);
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
