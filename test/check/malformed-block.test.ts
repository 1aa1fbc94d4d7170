import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { assert, asyncProperty, constantFrom, record } from "fast-check";
import { findMalformation, findBlockFault } from "#check/malformed-answer.ts";
import { keepText } from "#kit/text/unsafe-text.ts";
import { clientRejections } from "../support/client-rejections.ts";

setDefaultTimeout(60_000);

const text = { type: "text", text: "a" };
const link = { type: "resource_link", uri: "a://b", name: "b" };
const resource = { uri: "a://b", text: "" };
const annotated = (annotations: unknown) => ({ ...text, annotations });

async function isRejected(block: unknown): Promise<boolean> {
  const { older, newer, modern } = await clientRejections({ content: [block] });
  expect([older, modern]).toEqual([newer, newer]);
  return newer;
}

describe("findBlockFault accepts what clients accept:", () => {
  test.each([
    annotated({}),
    annotated({ audience: [], priority: 0 }),
    annotated({ audience: ["user", "assistant"], priority: 1, other: 7 }),
    annotated({ lastModified: "2024-02-29T23:59:59.123+05:30" }),
    { ...text, _meta: {}, other: null },
    link,
    { ...link, title: "", description: "", mimeType: "a/b", size: -1.5, icons: [] },
    { ...link, icons: [{ src: "", mimeType: "a/b", sizes: ["any"], theme: "dark" }] },
    { type: "resource", resource: { ...resource, mimeType: "a/b", _meta: {} } },
    { type: "resource", resource: { uri: "a://b", text: 7, blob: "AAAA" } },
    { type: "resource", resource: { ...resource, blob: "%" } },
  ])("%j", async (block) => {
    expect(findBlockFault(block, keepText)).toBeUndefined();
    expect(await isRejected(block)).toBe(false);
  });
});

const time = "has a lastModified that is not a time such as 2026-01-31T12:00:00Z";

describe("findBlockFault rejects what clients reject:", () => {
  test.each([
    [annotated(null), "has null as annotations, not an object"],
    [annotated([]), "has a list as annotations, not an object"],
    [
      annotated({ audience: "user" }),
      'has an audience that is not a list of "user" and "assistant"',
    ],
    [
      annotated({ audience: ["robot"] }),
      'has an audience that is not a list of "user" and "assistant"',
    ],
    [annotated({ priority: 1.5 }), "has a priority that is not a number from 0 to 1"],
    [annotated({ priority: "1" }), "has a priority that is not a number from 0 to 1"],
    [annotated({ lastModified: "yesterday" }), time],
    [annotated({ lastModified: "2026-01-31" }), time],
    [annotated({ lastModified: "2026-01-31T12:00Z" }), time],
    [annotated({ lastModified: "2026-01-31T12:00:00" }), time],
    [annotated({ lastModified: "2026-02-29T12:00:00Z" }), time],
    [annotated({ lastModified: "2026-13-01T12:00:00Z" }), time],
    [annotated({ lastModified: "2026-01-00T12:00:00Z" }), time],
    [annotated({ lastModified: "2026-01-31T24:00:00Z" }), time],
    [{ ...text, _meta: 5 }, "has a number as _meta, not an object"],
    [{ ...text, _meta: [] }, "has a list as _meta, not an object"],
    [{ ...link, title: 5 }, "has a number as title, not a string"],
    [{ ...link, description: null }, "has null as description, not a string"],
    [{ ...link, mimeType: {} }, "has an object as mimeType, not a string"],
    [{ ...link, size: "1" }, "has a size that is not a finite number"],
    [{ ...link, size: Number.POSITIVE_INFINITY }, "has a size that is not a finite number"],
    [{ ...link, icons: "x" }, "has a string as icons, not a list"],
    [{ ...link, icons: [{}] }, "has an icon whose src is missing or not a string"],
    [{ ...link, icons: [7] }, "has an icon whose src is missing or not a string"],
    [
      { ...link, icons: [{ src: "", sizes: "48x48" }] },
      "has an icon that has sizes that are not a list of strings",
    ],
    [
      { ...link, icons: [{ src: "", theme: "red" }] },
      'has an icon that has a theme that is neither "light" nor "dark"',
    ],
    [{ ...link, _meta: null }, "has null as _meta, not an object"],
    [
      { type: "resource", resource: { ...resource, mimeType: 5 } },
      "has a resource that has a number as mimeType, not a string",
    ],
    [
      { type: "resource", resource: { ...resource, _meta: "a" } },
      "has a resource that has a string as _meta, not an object",
    ],
    [
      { type: "resource", resource, annotations: { priority: 2 } },
      "has a priority that is not a number from 0 to 1",
    ],
  ])("%j", async (block, fault) => {
    expect(findBlockFault(block, keepText)).toBe(fault);
    expect(await isRejected(block)).toBe(true);
  });
});

const odd = constantFrom<unknown>(
  null,
  true,
  0,
  1,
  2.5,
  "",
  "user",
  "AAAA",
  "%",
  "2026-01-31T12:00:00Z",
  [],
  ["user"],
  ["any", 7],
  {},
  { src: "a" },
  [{ src: "a", theme: "light" }],
  [{ src: "a", mimeType: 7 }],
  { audience: ["user"], priority: 0.5 },
  { priority: 7 },
  { taskId: "a" },
);

const blocks = record(
  {
    type: constantFrom("text", "image", "audio", "resource", "resource_link", "video"),
    text: odd,
    data: odd,
    uri: odd,
    name: odd,
    title: odd,
    mimeType: odd,
    description: odd,
    size: odd,
    icons: odd,
    annotations: odd,
    _meta: odd,
    resource: record(
      { uri: odd, text: odd, blob: odd, mimeType: odd, _meta: odd },
      { requiredKeys: ["uri"] },
    ),
  },
  { requiredKeys: ["type"] },
).map((block): unknown => {
  // Most blocks are valid except for a member or two.
  const members = { text: "a", data: "AAAA", uri: "a://b", name: "a", mimeType: "a/b" };
  return { ...members, ...block };
});

test("a block of any members is rejected by ours when it is by the clients", async () => {
  await assert(
    asyncProperty(blocks, odd, async (block, meta) => {
      const result = {
        content: [block],
        ...(meta === 0 ? {} : { _meta: { progressToken: meta } }),
      };
      const terms = { hasOutputSchema: false, redact: keepText };
      const { older, newer, modern } = await clientRejections(result);
      expect({
        legacy: findMalformation(result, { ...terms, isModern: false }) !== undefined,
        modern: findMalformation(result, { ...terms, isModern: true }) !== undefined,
      }).toEqual({ legacy: older || newer, modern });
    }),
    { numRuns: 100 },
  );
});
