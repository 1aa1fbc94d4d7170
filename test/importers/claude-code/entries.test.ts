import { expect, test } from "bun:test";
import { addsText, hasReasoning } from "#importers/claude-code/entries.ts";

const user = (content: unknown) => ({ type: "user", message: { content } });
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "x" };

test.each([
  ["a prompt", user("fix it"), true],
  ["an empty prompt", user(""), false],
  ["a block of text", user([{ type: "text", text: "fix it" }]), true],
  ["an image", user([{ type: "image" }]), true],
  ["results alone", user([result, result]), false],
  ["a result and a text", user([result, { type: "text", text: "also" }]), true],
  ["no content", { type: "user" }, false],
  ["an attachment", { type: "attachment", attachment: { type: "date" }, rendered: [] }, true],
  ["an attachment of older versions", { type: "attachment", attachment: { type: "date" } }, true],
  ["a snapshot", { type: "attachment", attachment: { type: "prompt_snapshot" } }, false],
])("%s adds text: %p", (_what, line, adds) => {
  expect(addsText(line)).toBe(adds);
});

test.each(["thinking", "redacted_thinking"])("%s is reasoning", (type) => {
  expect(hasReasoning({ message: { content: [{ type: "text" }, { type }] } })).toBe(true);
});

test("text is not reasoning", () => {
  expect(hasReasoning({ message: { content: [{ type: "text" }] } })).toBe(false);
  expect(hasReasoning({ message: { content: "thinking" } })).toBe(false);
});
