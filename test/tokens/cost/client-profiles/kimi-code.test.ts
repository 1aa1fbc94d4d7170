import { describe, expect, test } from "bun:test";
import { kimiCode } from "#tokens/cost/client-profiles/kimi-code.ts";
import { typicalHash, typicalId } from "#tokens/cost/client-profiles/common.ts";
import {
  nullStructured,
  readResult,
  refusal,
  shown,
  testReads,
  unknownBlock,
} from "../../../support/client-reads.ts";

const time = "Wall time: 0.012 seconds\n";
const failed = `${time}<system>ERROR: Tool execution failed.</system>\n`;
const opening = `${failed}Tool "mcp__server__weather" failed: `;
const extras = (json: string) => `\n<mcp-result-extras>\n${json}\n</mcp-result-extras>`;
const oslo = extras('{"structuredContent":{"city":"Oslo","temp":3}}');
const wrapped = [`${time}<mcp_tool_result name="mcp__server__weather">`, "</mcp_tool_result>"];
const session = `/home/user/.kimi-code/sessions/wd_project_a34a1382aa04/session_${typicalId}`;

function note(mime: string, base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const id = `f_mcp_${typicalHash}${typicalHash}`;
  return `Original attachment saved at: "${session}/media/${id}.bin"\nAttachment reference: "kimi-file://${id}"\nSession-relative attachment: "media/${id}.bin"\nMIME: "${mime}"; size: ${bytes.length} bytes. Pass the attachment reference to Read or ReadMediaFile in the current session. For other binary formats, Read reports the resolved local path for a converter.`;
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const bytes = "AAAA".repeat(512);

testReads(
  "kimi-code",
  {},
  {
    text: [`${time}Two rows`],
    "two texts": [`${time}First.Second.`],
    "the same twice": [`${time}{"city":"Oslo","temp":3}`],
    "different halves": [`${time}Cold in Oslo${oslo}`],
    "structured content alone": [`${time}${oslo}`],
    "structured content that is null": [opening + nullStructured],
    "an image": [`${time}A map`, "image 640×480", note("image/png", png)],
    "an image beside structured content": [
      `${time}A map`,
      "image 640×480",
      `${oslo}${note("image/png", png)}`,
    ],
    "an image that cannot be read": [
      wrapped[0] ?? "",
      "image of unknown size",
      `${wrapped[1]}${note("image/bmp", "Qk0tbm90")}`,
    ],
    sound: [wrapped[0] ?? "", "sound", `${wrapped[1]}${note("audio/wav", bytes)}`],
    "a link": [
      `${time}[MCP content dropped: resource_link with unsupported mimeType "application/octet-stream" was not delivered. Fetch it directly if needed: test://1]`,
    ],
    "a resource with text": [`${time}Body`],
    "a resource with bytes": [
      `${time}[MCP content dropped: resource blob with unsupported mimeType "application/zip" (~0.0 MB, uri: test://3) was not delivered.]${note("application/zip", bytes)}`,
    ],
    "a block of an unknown kind": [opening + unknownBlock],
    nothing: [`${time}<system>Tool output is empty.</system>`],
    // A text for the user is priced separately, because it counts as overhead.
    "text for the user alone": [time, "Saved", "Two rows"],
    "a tool error": [`${failed}No suchcity`],
    "a tool error with structured content": [
      `${failed}No such city${extras('{"structuredContent":{"code":7}}')}`,
    ],
    "a JSON-RPC error": [`${opening}MCP error -32602: Unknown city`],
    "a refusal": [failed + refusal],
    "a refusal as a JSON-RPC error": [`${opening}MCP error -31900: ${refusal}`],
  },
);

const read = (text: string, more: object = {}) =>
  readResult(kimiCode, { content: [{ type: "text", text }], ...more });
const readText = (text: string) => shown(read(text).visible).join("");
const line = `${"y".repeat(99)}\n`;

describe("kimi-code and a long answer", () => {
  test("of 50,000 characters is whole; of more only its ends stay", () => {
    expect(read(line.repeat(500)).limited).toBeUndefined();
    const { visible, limited } = read(line.repeat(600));
    expect(limited).toEqual({
      alert: "would_spill",
      value: 60_000,
      limit: 50_000,
      unit: "character",
    });
    const left = shown(visible).join("");
    expect(left).toStartWith(`${time}Tool output exceeded 50000 characters; the full output was`);
    expect(left).toContain("[elided: chars [4096, 58976)]");
    expect(left).toEndWith(line.repeat(10));
  });

  test("of few long lines loses the ends of these", () => {
    const left = readText(`${"z".repeat(60_000)}\nend`);
    expect(left).toStartWith(
      `${time}${"z".repeat(1_986)}[...truncated]\nend\n[Per-line truncation`,
    );
    expect(left).toEndWith("or Grep to search it.]");
  });

  test("keeps its images, and their places again at the end", () => {
    const content = [
      { type: "text", text: line.repeat(600) },
      { type: "image", data: png, mimeType: "image/png" },
    ];
    const [left, image] = shown(readResult(kimiCode, { content }).visible);
    expect(image).toBe("image 640×480");
    expect(left).toContain("media parts stay attached");
    // The last characters include them too.
    expect(left?.split("Original attachment saved at: ").length).toBe(3);
    expect(left).toEndWith(note("image/png", png));
  });

  test("that is an error is cut like others", () => {
    const { visible, limited } = read(line.repeat(600), { isError: true });
    expect(limited).toMatchObject({ value: 60_000 });
    expect(shown(visible).join("")).toStartWith(`${failed}Tool output exceeded`);
  });
});

test("a large image is scaled down, with a sentence", () => {
  const data = Buffer.from(png, "base64");
  data.writeUInt32BE(4_000, 16);
  const image = { type: "image", data: data.toString("base64"), mimeType: "image/png" };
  const { visible } = readResult(kimiCode, { content: [image, image] });
  expect(shown(visible)).toEqual([
    wrapped[0] ?? "",
    "image 2000×240",
    "image 2000×240",
    "</mcp_tool_result>",
    expect.stringContaining("original 4000x480 image/png"),
  ]);
  // Two equal images are saved once.
  expect(shown(visible).at(-1)?.split("saved at").length).toBe(3);
});

test("a picture that no model accepts is a sentence; a link to one may be sent", () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/svg+xml" };
  const [text] = shown(readResult(kimiCode, { content: [image] }).visible);
  expect(text).toStartWith(`${time}[Image omitted: unsupported image format image/svg+xml.`);
  const link = { type: "resource_link", uri: "a://b", name: "b", mimeType: "image/png" };
  expect(shown(readResult(kimiCode, { content: [link] }).visible)).toEqual([
    time,
    "image of unknown size",
  ]);
});

function shownData(mimeType: string): readonly string[] {
  const resource = { uri: "a://b", mimeType, blob: "AAAA" };
  return shown(readResult(kimiCode, { content: [{ type: "resource", resource }] }).visible);
}

test("data of a resource are sent by type", () => {
  expect(shownData("audio/wav")[1]).toBe("sound");
  expect(shownData("video/mp4")[1]).toBe("image of unknown size");
  expect(shownData("image/png")).toHaveLength(1);
  expect(shownData("image/tiff")[0]).toContain("[Image omitted:");
});

test("an error without a text is a sentence; of _meta the protocol's own names are left out", () => {
  expect(shown(readResult(kimiCode, { content: [], isError: true }).visible)).toEqual([
    `${failed}Tool output is empty.`,
  ]);
  const meta = { "mcp.dev/own": 1, "example.org/page": "<2>" };
  expect(shown(read("Two", { _meta: meta }).visible)).toEqual([
    `${time}Two${extras(String.raw`{"_meta":{"example.org/page":"\u003c2>"}}`)}`,
  ]);
});
