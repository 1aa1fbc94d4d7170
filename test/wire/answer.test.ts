import { expect, test } from "bun:test";
import { hasAnswer } from "#wire/answer.ts";

test.each([
  [{ content: [{ type: "text", text: "" }] }, true],
  [{ contents: [{ uri: "file:///a" }] }, true],
  [{ messages: [{ role: "user" }] }, true],
  [{ structuredContent: {} }, true],
  [{ structuredContent: null }, true],
  [{ content: [] }, false],
  [{ content: "text" }, true],
  [{ toolResult: "text" }, true],
  [{ task: { taskId: "t" } }, false],
  [null, false],
])("hasAnswer: %j is %p", (result, expected) => {
  expect(hasAnswer(result)).toBe(expected);
});
