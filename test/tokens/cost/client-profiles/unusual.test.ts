// How the six clients read unusual answers, as measured: docs/notes/clients.md.
import { describe, expect, test } from "bun:test";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { findSdkRejection } from "#tokens/cost/client-profiles/rejections.ts";
import { describeError } from "#tokens/cost/describe-calls.ts";
import { makeAnswerContext } from "#tokens/cost/visibility.ts";
import { asked, readerOf, readResult, shown } from "../../../support/client-reads.ts";
import { pngOf } from "../../../support/png.ts";

const text = (of: string) => ({ type: "text", text: of });
const picture = (data: string, mimeType = "image/png") => ({ type: "image", data, mimeType });
const blob = (data: string, mimeType: string) => ({
  type: "resource",
  resource: { uri: "a://b", mimeType, blob: data },
});
const link = { type: "resource_link", uri: "a://b", name: "b", description: "Days" };
const notPicture = Buffer.from("no picture").toString("base64");
const small = pngOf(64, 64);

const results = {
  "white space alone": { content: [text(" \n ")] },
  "JSON with white space": { content: [text('{ "a": [1, 2] }')] },
  "JSON with white space beside its value": {
    content: [text('{ "a": 1 }')],
    structuredContent: { a: 1 },
  },
  "an image above 2,000 pixels": { content: [picture(pngOf(3_000, 2_000))] },
  "an image that is another thing": { content: [picture(notPicture)] },
  "an image without data": { content: [picture("")] },
  "two images": { content: [picture(small), picture(small)] },
  "an image named in capitals": { content: [picture(small, "IMAGE/PNG")] },
  "a PDF": { content: [blob("JVBERi0xLjQ=", "application/pdf")] },
  "an embedded SVG": { content: [blob("PHN2Zy8+", "image/svg+xml")] },
  "an error with a link": { content: [text("See"), link], isError: true },
} as const;

type Expected = { readonly [name in keyof typeof results]: readonly string[] };

const folder =
  "/home/user/.claude/projects/-home-user-projects-example-organisation-application/8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a/tool-results/mcp-server-blob-1763769600000-zsobi2";
const source = `[Image: source: ${folder}.png]`;
const toolLabel = (what: string) => `[Tool 'weather' provided the following ${what}]`;
const untrusted = (of: string) => `<untrusted_context>\n${of}\n</untrusted_context>`;
const header = "Wall time: 0.0110 seconds\nOutput:";
const attached = "(attached media from previous tool call)";
const follows = "Attached media from tool result:";
const omitted = "\n\n[1 image omitted: could not be resized below the image size limit.]";
const omittedByCopilot =
  "[MCP image omitted because its data was invalid or its MIME type unsupported]";
const omittedByCodex = "image content omitted because it could not be processed";
const failed = (content: string) =>
  `MCP tool 'weather' reported tool error for function call: {"name":"weather","args":{"q":1}} with response: [{"functionResponse":{"name":"weather","response":${content}}}]`;
const errorJson = JSON.stringify(results["an error with a link"]);

const read: { readonly [client: string]: Expected } = {
  "claude-code": {
    "white space alone": ["(mcp__server__weather completed with no output)"],
    "JSON with white space": ['{ "a": [1, 2] }'],
    "JSON with white space beside its value": ['{"a":1}'],
    "an image above 2,000 pixels": [
      "image 2000×1333",
      `${source.slice(0, -1)}, original 3000x2000, displayed at 2000x1333. Multiply coordinates by 1.50 to map to original image.]`,
    ],
    "an image that is another thing": [
      `[Image could not be processed: Unable to resize image — image processing is unavailable and dimensions could not be read from the file header. Please convert the image to PNG, JPEG, GIF, or WebP.]${source}`,
    ],
    "an image without data": [
      `[Image could not be processed: Image file is empty (0 bytes)]${source}`,
    ],
    "two images": ["image 64×64", source, "image 64×64", source],
    "an image named in capitals": [
      `[Image from server] Binary content (IMAGE/PNG, 33 bytes) saved to ${folder}.bin`,
    ],
    "a PDF": [
      `[Resource from server at a://b] Binary content (application/pdf, 8 bytes) saved to ${folder}.bin`,
    ],
    "an embedded SVG": [
      `[Resource from server at a://b] Binary content (image/svg+xml, 6 bytes) saved to ${folder}.bin`,
    ],
    "an error with a link": ["See\n[Resource link: b] a://b (Days)"],
  },
  "codex-mcp-client": {
    "white space alone": [header, " \n "],
    "JSON with white space": [header, '{ "a": [1, 2] }'],
    "JSON with white space beside its value": [`${header}\n{"a":1}`],
    "an image above 2,000 pixels": [header, "image 3000×2000"],
    "an image that is another thing": [header, omittedByCodex],
    "an image without data": [header, omittedByCodex],
    "two images": [header, "image 64×64", "image 64×64"],
    "an image named in capitals": [header, omittedByCodex],
    "a PDF": [header, JSON.stringify(results["a PDF"].content[0])],
    "an embedded SVG": [header, JSON.stringify(results["an embedded SVG"].content[0])],
    "an error with a link": [header, "See", JSON.stringify(link)],
  },
  "gemini-cli-mcp-client": {
    "white space alone": [untrusted(" \n ")],
    "JSON with white space": [untrusted('{ "a": [1, 2] }')],
    "JSON with white space beside its value": [untrusted('{ "a": 1 }')],
    "an image above 2,000 pixels": [
      toolLabel("image data with mime-type: image/png"),
      "image 3000×2000",
    ],
    "an image that is another thing": [toolLabel("image data with mime-type: image/png")],
    "an image without data": [toolLabel("image data with mime-type: image/png")],
    "two images": [
      toolLabel("image data with mime-type: image/png"),
      "image 64×64",
      `\n${toolLabel("image data with mime-type: image/png")}`,
      "image 64×64",
    ],
    "an image named in capitals": [
      toolLabel("image data with mime-type: IMAGE/PNG"),
      "image 64×64",
    ],
    "a PDF": [
      toolLabel("embedded resource with mime-type: application/pdf"),
      "image of unknown size",
    ],
    "an embedded SVG": [toolLabel("embedded resource with mime-type: image/svg+xml")],
    "an error with a link": [failed(errorJson)],
  },
  opencode: {
    "white space alone": [" \n "],
    "JSON with white space": ['{ "a": [1, 2] }'],
    "JSON with white space beside its value": ['{ "a": 1 }'],
    "an image above 2,000 pixels": ["image 2000×1333", follows],
    "an image that is another thing": [omitted],
    "an image without data": [omitted],
    "two images": ["image 64×64", `${follows}\n\n`, "image 64×64"],
    "an image named in capitals": [
      `[{"type":"file-data","data":"${small}","mediaType":"IMAGE/PNG"}]`,
    ],
    "a PDF": ["image of unknown size", follows],
    "an embedded SVG": [
      "[Binary MCP resource omitted: a://b (image/svg+xml, 6 B) is not a supported attachment type]",
    ],
    "an error with a link": ["See"],
  },
  "qwen-code": {
    "white space alone": ["Tool 'weather' completed without any output."],
    "JSON with white space": ['{ "a": [1, 2] }'],
    "JSON with white space beside its value": ['{"a":1}\n{ "a": 1 }'],
    "an image above 2,000 pixels": [
      toolLabel("image data with mime-type: image/png"),
      "image 3000×2000",
      attached,
    ],
    "an image that is another thing": [
      `${toolLabel("image data with mime-type: image/png")}${attached}`,
    ],
    "an image without data": [toolLabel("image data with mime-type: image/png")],
    "two images": [
      toolLabel("image data with mime-type: image/png"),
      "image 64×64",
      `${attached}\n${toolLabel("image data with mime-type: image/png")}`,
      "image 64×64",
    ],
    "an image named in capitals": [
      `${toolLabel("image data with mime-type: IMAGE/PNG")}\n[document: IMAGE/PNG]`,
    ],
    "a PDF": [
      `${toolLabel("embedded resource with mime-type: application/pdf")}\n[document: application/pdf]`,
    ],
    "an embedded SVG": [
      `${toolLabel("embedded resource with mime-type: image/svg+xml")}${attached}`,
    ],
    "an error with a link": [
      failed(
        `{"error":${errorJson},"content":${JSON.stringify(results["an error with a link"].content)}}`,
      ),
    ],
  },
  "copilot-cli": {
    "white space alone": [" \n "],
    "JSON with white space": ['{"a":[1,2]}'],
    "JSON with white space beside its value": ['{ "a": 1 }{"a":1}'],
    "an image above 2,000 pixels": ["image 3000×2000"],
    "an image that is another thing": [omittedByCopilot],
    "an image without data": [omittedByCopilot],
    "two images": ["image 64×64", "image 64×64"],
    "an image named in capitals": ["image 64×64"],
    "a PDF": ["image of unknown size"],
    "an embedded SVG": [omittedByCopilot],
    "an error with a link": ["MCP server 'server': See"],
  },
};

describe.each(Object.entries(read))("%s reads", (client, expected) => {
  const profile = findProfile(client, { model: "gpt-5.5" });
  test.each(Object.entries(results))("%s", (name, result) => {
    const { visible } = readResult(profile, result);
    expect(shown(visible)).toEqual([...expected[name as keyof Expected]]);
    const modern = readResult(profile, { resultType: "complete", ...result });
    if (!("isError" in result)) expect(modern.visible).toEqual(visible);
  });
});

describe("a long JSON-RPC error", () => {
  const error = { code: 1, message: "line\n".repeat(12_000) };
  test.each([
    ["claude-code", "would_truncate"],
    ["codex-mcp-client", "would_truncate"],
    ["copilot-cli", "would_spill"],
    ["gemini-cli-mcp-client", undefined],
    ["opencode", undefined],
    ["qwen-code", undefined],
  ] as const)("%s: %s", (client, alert) => {
    const reading = makeAnswerContext(readerOf(findProfile(client, { model: "gpt-5.5" })), asked);
    expect(describeError("tools/call", error, reading).limited?.alert).toBe(alert);
  });
});

describe("a result that the client's library rejects", () => {
  const flawed = { content: [{ type: "image", data: small }] };
  const issues = findSdkRejection(flawed) ?? "";
  test.each([
    ["claude-code", issues],
    ["opencode", issues],
    ["qwen-code", issues],
    ["gemini-cli-mcp-client", JSON.stringify(issues)],
    ["codex-mcp-client", "Unexpected response type"],
    ["copilot-cli", 'CustomResult(CustomResult(Object {"content": Array [Object {"type"'],
  ] as const)("%s shows an error in its place", (client, result) => {
    const profile = findProfile(client, { model: "gpt-5.5" });
    expect(shown(readResult(profile, flawed).visible).join("")).toContain(result);
    expect(shown(readResult(profile, { content: "cold" }).visible)).not.toContain('"cold"');
  });
});
