import { expect, test } from "bun:test";
import { countBlocks } from "#cost/block-counts.ts";

test("blocks are counted by type, unknown ones as other", () => {
  const types = [
    "text",
    "text",
    "image",
    "audio",
    "resource",
    "resource_link",
    "hologram",
    "__proto__",
  ];
  expect(countBlocks({ content: [...types.map((type) => ({ type })), null, 7] })).toEqual({
    text: 2,
    image: 1,
    audio: 1,
    resource: 1,
    resource_link: 1,
    other: 4,
  });
  expect(countBlocks(undefined).text).toBe(0);
});
