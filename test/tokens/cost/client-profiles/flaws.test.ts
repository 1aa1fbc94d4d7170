import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { CallToolResultSchema, GetPromptResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { makeFlawText, isBlock, isMessage } from "#tokens/cost/client-profiles/rejections.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";
import { o200kTokens } from "../../../support/eras.ts";

const item = fc.oneof(
  fc.constantFrom("a", "", 0, 1, 0.5, true, null, undefined, "QUJD", "!", "user", "dark"),
  fc.constantFrom([], [1], ["user"], ["x"], ["48x48"], {}, "2026-01-01T00:00:00Z", "2026"),
);
const optional = { requiredKeys: [] };
const annotations = fc.record({ audience: item, priority: item, lastModified: item }, optional);
const icons = fc.array(
  fc.record({ src: item, mimeType: item, sizes: item, theme: item }, optional),
);
const resource = fc.record(
  { uri: item, text: item, blob: item, mimeType: item, _meta: item },
  optional,
);
const blocks = fc.record(
  {
    type: fc.constantFrom("text", "image", "audio", "resource", "resource_link", "x"),
    text: item,
    data: item,
    mimeType: item,
    uri: item,
    name: item,
    title: item,
    description: item,
    size: item,
    resource: fc.oneof(item, resource),
    annotations: fc.oneof(item, annotations),
    icons: fc.oneof(item, icons),
    _meta: item,
  },
  optional,
);

const known = new Map<Part, number>();

function countPart(part: Part): number {
  const tokens = known.get(part) ?? o200kTokens(part.kind === "text" ? part.text : "");
  known.set(part, tokens);
  return tokens;
}

const images = [
  ["", "a", "ab", "abc", "abcd", "abcde", "a=", "ab=", "ab==", "abc=", "abc==", "abcd=", "abcd=="],
  ["=", "==", "a===", "ab=c", "_w==", "-_", "a!", "QUJD".repeat(3_000)],
].flat();

describe("a block without flaws", () => {
  test("is one that SDK 1.x accepts, and the error about another one costs no more than ours", () => {
    fc.assert(
      fc.property(blocks, (block) => {
        const { success, error } = CallToolResultSchema.safeParse({ content: [block] });
        if (isBlock(block)) expect([block, success]).toEqual([block, true]);
        if (error) {
          expect(o200kTokens(error.message)).toBeLessThanOrEqual(countPart(makeFlawText(block)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each(images)("is one that SDK 1.x accepts: an image with the data %p", (data) => {
    const block = { type: "image", data, mimeType: "image/png" };
    expect(isBlock(block)).toBe(CallToolResultSchema.safeParse({ content: [block] }).success);
  });

  test("a message with it is one, too", () => {
    const message = { role: "user", content: { type: "text", text: "a" } };
    expect([isMessage(message), isMessage({ ...message, role: "x" })]).toEqual([true, false]);
    expect(GetPromptResultSchema.safeParse({ messages: [message] }).success).toBe(true);
  });
});
