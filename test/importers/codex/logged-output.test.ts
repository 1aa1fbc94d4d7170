import { expect, test } from "bun:test";
import { loggedOutput } from "#importers/codex/logged-output.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const read = (output: unknown) =>
  loggedOutput(output, { id: "c", at: 1, conversation: "t", model: null }, tools);

test("a text, a list and an object have the size that the model read", () => {
  expect(read("Wall time: 1 s\nOutput:\né")).toMatchObject({ bytes: 25, images: 0, outcome: "ok" });
  const parts = [
    { type: "input_text", text: "ab" },
    { type: "input_image", image_url: "data:x" },
    { type: "input_text", text: "c" },
  ];
  expect(read(parts)).toMatchObject({ bytes: 3, tokens: 2, images: 1 });
  expect(read({ content: "abcd", success: true })).toMatchObject({ bytes: 4, outcome: "ok" });
  expect(read(null)).toMatchObject({ bytes: 0, tokens: 0 });
});

test.each([
  ["aborted by user after 0.1s", "cancelled"],
  ["unsupported call: mcp__x", "unknown_tool"],
  [{ content: "no", success: false }, "tool_error"],
] as const)("%j is %s", (output, outcome) => {
  expect(read(output).outcome).toBe(outcome);
});
