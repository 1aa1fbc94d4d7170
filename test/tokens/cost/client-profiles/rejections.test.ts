import { describe, expect, test } from "bun:test";
import {
  isUnrecognizedResult,
  rejectResult,
  findSdkRejection,
} from "#tokens/cost/client-profiles/rejections.ts";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { array, assert, constantFrom, oneof, property, record } from "fast-check";

const image = (members: object) => ({
  type: "image",
  data: "AAAA",
  mimeType: "image/png",
  ...members,
});
const resource = (members: object) => ({
  type: "resource",
  resource: { uri: "a://b", ...members },
});
const text = { type: "text", text: "cold" };

const flawed: Readonly<Record<string, object>> = {
  "content that is null": { content: null },
  "content that is a text": { content: "cold" },
  "structured content that is a list": { content: [], structuredContent: [] },
  "structured content that is null": { content: [text], structuredContent: null },
  "structured content that is a number": { content: [text], structuredContent: 3 },
  "an unknown kind of block": { content: [text, { type: "hologram", of: "me" }] },
  "a block that is a text": { content: ["cold"] },
  "a block that is null": { content: [null] },
  "a text that is a number": { content: [{ type: "text", text: 3 }] },
  "an image without a type": { content: [image({ mimeType: undefined })] },
  "an image without base64": { content: [image({ data: "no base64!" })] },
  "an image without both": { content: [image({ data: "no base64!", mimeType: undefined })] },
  "a link without a name": { content: [{ type: "resource_link", uri: "a://b" }] },
  "a resource that is missing": { content: [{ type: "resource" }] },
  "a resource without content": { content: [resource({})] },
  "a resource without base64": { content: [resource({ blob: "no base64!" })] },
  "two flaws": { content: [image({ data: "?" }), { type: "hologram" }], structuredContent: "a" },
};

const sound: Readonly<Record<string, object>> = {
  nothing: {},
  "a text": { content: [text] },
  "every kind": {
    content: [
      text,
      image({}),
      { ...image({}), type: "audio" },
      { type: "resource_link", uri: "a://b", name: "b" },
      resource({ text: "cold" }),
      resource({ blob: "AAA=" }),
    ],
    structuredContent: {},
    isError: true,
  },
};

function saidBySdk(result: object): string | undefined {
  const { error } = CallToolResultSchema.safeParse(JSON.parse(JSON.stringify(result)));
  return error && JSON.stringify(error.issues, null, 2);
}

const dual = (result: object) => findSdkRejection(result, { knowsModernEra: true });

describe("the rejection of a result by the TypeScript SDK", () => {
  test.each(Object.entries(flawed))("%s: the words of the SDK", (_, result) => {
    expect(saidBySdk(result)).toBeString();
    expect(findSdkRejection(JSON.parse(JSON.stringify(result)))).toBe(saidBySdk(result));
  });

  test.each(Object.entries(sound))("%s: none", (_, result) => {
    expect(saidBySdk(result)).toBeUndefined();
    expect(findSdkRejection(result)).toBeUndefined();
    expect(rejectResult(result, "Invalid: ")).toBeUndefined();
  });

  test("a dual version rejects a result of 2026 without content, and takes any structured content", () => {
    const [bare, any] = [{}, { content: [], structuredContent: 3 }];
    const modern = { resultType: "complete" };
    expect(dual({ ...bare, ...modern })).toContain("expected array, received undefined");
    expect(dual({ ...any, ...modern })).toBeUndefined();
    expect([dual(bare), findSdkRejection({ ...bare, ...modern })]).toEqual([undefined, undefined]);
    expect([dual(any), findSdkRejection({ ...any, ...modern })]).not.toContain(undefined);
  });

  test("another version names every kind of block for broken data", () => {
    const result = { content: [image({ data: "?" })] };
    expect(findSdkRejection(result)).not.toContain("invalid_union");
    expect(findSdkRejection(result, { listsAllForms: true })).toContain("invalid_union");
  });

  test("copied content is checked where a server sends none", () => {
    expect(findSdkRejection({ content: [text] }, { structured: [] })).toContain("received array");
    const both = { content: [text], structuredContent: {} };
    expect(findSdkRejection(both, { structured: [] })).toBeUndefined();
  });

  test("any blocks: as the SDK says it", () => {
    const value = constantFrom("text", "image", "AAAA", "a://b", 3, null, {}, undefined);
    const names = [
      "type",
      "text",
      "data",
      "mimeType",
      "uri",
      "name",
      "title",
      "description",
      "resource",
    ];
    const inner = record(
      { uri: value, mimeType: value, text: value, blob: value },
      { requiredKeys: [] },
    );
    const block = record(
      Object.fromEntries(
        names.map((name) => [name, name === "resource" ? oneof(value, inner) : value]),
      ),
      { requiredKeys: [] },
    );
    assert(
      property(array(block, { maxLength: 3 }), (content) => {
        const result: unknown = JSON.parse(JSON.stringify({ content }));
        expect(findSdkRejection(result)).toBe(saidBySdk({ content }));
      }),
    );
  });
});

describe("the rejection of a result by the Rust SDK", () => {
  const accepted = new Set([
    "structured content",
    "an image without base64",
    "a resource without base64",
  ]);
  test.each(Object.entries(flawed))("%s", (name, result) => {
    const isAccepted = [...accepted].some((prefix) => name.startsWith(prefix));
    expect(isUnrecognizedResult(JSON.parse(JSON.stringify(result)))).toBe(!isAccepted);
  });

  test.each(Object.entries(sound))("%s", (name, result) => {
    expect(isUnrecognizedResult(result)).toBe(name === "nothing");
  });

  test("an error or structured content without content is accepted", () => {
    expect(isUnrecognizedResult({ isError: true })).toBe(false);
    expect(isUnrecognizedResult({ structuredContent: {} })).toBe(false);
  });
});
