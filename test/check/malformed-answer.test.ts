import { describe, expect, test } from "bun:test";
import { findMalformation } from "#check/malformed-answer.ts";
import { keepText } from "#kit/text/unsafe-text.ts";
import { clientRejections } from "../support/client-rejections.ts";

const text = { type: "text", text: "a" };
const legacy = { hasOutputSchema: false, isModern: false, redact: keepText };
const modern = { ...legacy, isModern: true };
const nobody = { older: false, newer: false, modern: false };
const withSchema = { ...legacy, hasOutputSchema: true };

const makeContent = (block: unknown) => ({ content: [text, block] });

describe("findMalformation accepts", () => {
  test.each([
    { content: [] },
    { content: [text] },
    { content: [text], isError: true },
    { content: [text], structuredContent: { a: 1 }, _meta: {}, resultType: "complete" },
    makeContent({ type: "image", data: "AAAA", mimeType: "image/png" }),
    makeContent({ type: "audio", data: "", mimeType: "audio/wav" }),
    makeContent({ type: "resource_link", uri: "a://b", name: "b" }),
    makeContent({ type: "resource", resource: { uri: "a://b", text: "" } }),
    makeContent({ type: "resource", resource: { uri: "a://b", blob: "AAAA" } }),
  ])("%j, as both clients do", async (result) => {
    expect(findMalformation(result, legacy)).toBeUndefined();
    expect(await clientRejections(result)).toEqual(nobody);
  });
});

describe("findMalformation rejects what a client rejects:", () => {
  const both = { older: true, newer: true, modern: true };
  const legacyOnly = { ...both, modern: false };
  test.each([
    [{ content: "text" }, both, "content is a string, not a list"],
    [{ content: null }, both, "content is null, not a list"],
    [{ content: { 0: text } }, both, "content is an object, not a list"],
    [{ content: ["text"] }, both, "content[0] is a string, not an object"],
    [makeContent({ text: "a" }), both, "content[1] has no type"],
    [makeContent({ type: 7 }), both, "content[1] has a type that is a number, not a string"],
    [
      makeContent({ type: "video", data: "" }),
      both,
      'content[1] has the type "video", which clients do not know',
    ],
    [
      makeContent({ type: "constructor" }),
      both,
      'content[1] has the type "constructor", which clients do not know',
    ],
    [
      makeContent({ type: "text" }),
      both,
      'content[1] has the type "text", but its member "text" is missing or not a string',
    ],
    [
      makeContent({ type: "image", data: "" }),
      both,
      'content[1] has the type "image", but its member "mimeType" is missing or not a string',
    ],
    [
      makeContent({ type: "image", data: "%", mimeType: "a/b" }),
      both,
      "content[1] has data that is not base64",
    ],
    [
      makeContent({ type: "resource_link", uri: "a://b" }),
      both,
      'content[1] has the type "resource_link", but its member "name" is missing or not a string',
    ],
    [
      makeContent({ type: "resource" }),
      both,
      'content[1] has the type "resource", but its member "resource" is missing or not an object',
    ],
    [
      makeContent({ type: "resource", resource: { text: "" } }),
      both,
      "content[1] has a resource whose uri is missing or not a string",
    ],
    [
      makeContent({ type: "resource", resource: { uri: "a://b" } }),
      both,
      "content[1] has a resource with neither text nor blob",
    ],
    [
      makeContent({ type: "resource", resource: { uri: "a://b", blob: "%" } }),
      both,
      "content[1] has a blob that is not base64",
    ],
    [{ content: [], isError: "yes" }, both, "isError is a string, not true or false"],
    [
      { content: [], structuredContent: [] },
      legacyOnly,
      "structuredContent is a list, not an object",
    ],
    [
      { content: [], structuredContent: null },
      legacyOnly,
      "structuredContent is null, not an object",
    ],
    [{ content: [], _meta: "a" }, both, "_meta is a string, not an object"],
    [{ content: [], _meta: null }, both, "_meta is null, not an object"],
    [
      { content: [], _meta: { progressToken: 1.5 } },
      legacyOnly,
      "_meta has a progressToken that is neither a string nor a whole number",
    ],
    [
      { content: [], _meta: { "io.modelcontextprotocol/related-task": {} } },
      legacyOnly,
      "_meta has io.modelcontextprotocol/related-task, but its taskId is missing or not a string",
    ],
  ] as const)("%j", async (result, rejected, fault) => {
    expect(await clientRejections(result)).toEqual(rejected);
    expect(findMalformation(result, legacy)).toBe(fault);
    expect(findMalformation(result, modern)).toBe(rejected.modern ? fault : undefined);
  });
});

test.each([
  [{ content: [text] }, "it has no structuredContent, although the tool has an outputSchema"],
  [{ content: [text], structuredContent: { a: 1 } }, undefined],
  [{ content: [text], isError: true }, undefined],
])("findMalformation with an outputSchema, as both clients: %j", async (result, fault) => {
  expect(findMalformation(result, withSchema)).toBe(fault);
  const isRejected = fault !== undefined;
  expect(await clientRejections(result, { outputSchema: { type: "object" } })).toEqual({
    older: isRejected,
    newer: isRejected,
    modern: isRejected,
  });
});

// The specification requires `content`. In the 2025 era, both clients read a missing one as an empty list.
test("findMalformation rejects a result without content", async () => {
  expect(findMalformation({}, legacy)).toBe("it has no content");
  expect(await clientRejections({})).toEqual({ ...nobody, modern: true });
});

test("findMalformation accepts structured content of any type in the era of 2026", () => {
  const result = { content: [], structuredContent: [1] };
  expect(findMalformation(result, { ...withSchema, isModern: true })).toBeUndefined();
});

test("a type that clients do not know is shown without secrets, also a long one", () => {
  const secret = "s3cret".repeat(20);
  const redact = (shown: string): string => shown.replaceAll(secret, "${KEY}");
  const result = { content: [{ type: secret }] };
  expect(findMalformation(result, { ...legacy, redact })).toBe(
    'content[0] has the type "${KEY}", which clients do not know',
  );
});
