import { expect, test } from "bun:test";
import { chars4 } from "#tokens/estimators/characters.ts";

test.each([
  ["", 0],
  ["a", 1],
  ["abcd", 1],
  ["abcde", 2],
  ["😀😀", 1],
])("chars4: %j is %i tokens", (text, tokens) => {
  expect(chars4().count(text)).toBe(tokens);
});

test.each([
  ["no block", [], 10],
  ["one text", [{ type: "text", text: "abcd" }], 16],
  ["base64 as characters", [{ type: "image", data: "A".repeat(400), mimeType: "image/png" }], 115],
  ["text and data of one block", [{ text: "ab", data: "ab" }], 16],
  ["what is not text", [null, 1, "text", { text: 5 }], 30],
])("chars4 content: %s", (_name, blocks, tokens) => {
  expect(chars4().countContent?.(blocks)).toBe(tokens);
});
