import { expect, test } from "bun:test";
import {
  countShown,
  shownError,
  shownRequest,
  shownResult,
} from "../../../scripts/fuzz/counting.ts";

const text = (length: number) => ({ type: "text", text: "x".repeat(length) });

test("characters are counted text by text, and by chars4 in content arrays as a whole", () => {
  const shown = { blocks: [text(4), text(4)], texts: ["xxxx"] };
  expect(countShown(shown, "chars3")).toBe(6);
  // ⌈(40 + 2·20 + 8) / 4⌉ + 1
  expect(countShown(shown, "chars4")).toBe(23);
  expect(countShown({ blocks: [], texts: ["hello world"] }, "o200k")).toBe(2);
});

test("a result is shown as the client shows it", () => {
  const result = { content: [text(3)], structuredContent: { a: 1 }, isError: false };
  const blocks = shownResult("tools/call", result, "content-first").blocks;
  expect(blocks).toEqual(result.content);
  expect(shownResult("tools/call", result, "structured-first").texts).toEqual(['{"a":1}']);
  expect(shownResult("tools/call", { other: 1 }, "content-first").texts).toEqual(['{"other":1}']);
});

const read = (result: object) => shownResult("tools/call", { ...result }, "structured-first");

test("an answer that Claude Code rejects, cuts or saves counts as nothing, and an error as its texts", () => {
  const nothing = { blocks: [], texts: [] };
  expect(read({ content: [text(4), { type: "unheard-of" }] })).toEqual(nothing);
  expect(read({ content: [text(4), { type: "image" }] })).toEqual(nothing);
  expect(read({ content: [text(4)], structuredContent: null })).toEqual(nothing);
  expect(read({ content: [text(50_000)] })).toEqual(nothing);
  const error = { content: [text(4)], structuredContent: {}, isError: true };
  expect(read(error)).toEqual({ blocks: [text(4)], texts: [] });
  expect(read({ ...error, content: [text(10_000)] })).toEqual(nothing);
});

test("requests and errors have their texts", () => {
  const params = { name: "search", arguments: { q: 1 } };
  expect(shownRequest("tools/call", params).texts).toEqual(["search", '{"q":1}']);
  expect(shownRequest("resources/read", { uri: "file:///a" }).texts).toEqual(["file:///a"]);
  expect(shownError({ code: -1, message: "no", data: [2] }).texts).toEqual(["-1", "no", "[2]"]);
});
