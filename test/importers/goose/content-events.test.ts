import { expect, test } from "bun:test";
import { contentEvents } from "#importers/goose/content-events.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const event = (part: unknown) =>
  contentEvents(part, { at: 5, conversation: "s", model: "m" }, tools);
const asked = (name: unknown) => ({ type: "toolRequest", id: "r", toolCall: { value: { name } } });
const answered = (toolResult: unknown) => ({ type: "toolResponse", id: "r", toolResult });

test("a tool of an extension is a server's, those of Goose itself are not", () => {
  expect(event(asked("docs__search"))).toMatchObject({
    id: "s/r",
    name: { joined: "docs__search", form: "extension" },
  });
  for (const name of ["developer__shell", "memory__recall", "shell", 4, null]) {
    expect(event(asked(name))).toBeUndefined();
  }
});

test.each([
  [{ status: "success", value: [{ type: "text", text: "äb" }] }, "ok", 3],
  [
    { status: "success", value: { content: [{ type: "text", text: "ab" }], isError: true } },
    "tool_error",
    2,
  ],
  [{ status: "error", error: "bad" }, "tool_error", 3],
  [{ status: "success", value: null }, "ok", 0],
  [null, "ok", 0],
] as const)("the answer %j", (result, outcome, bytes) => {
  expect(event(answered(result))).toMatchObject({ kind: "tool_result", outcome, bytes });
});

test("blocks for the user alone are not read by the model", () => {
  const value = [
    { type: "text", text: "a", annotations: { audience: ["user"] } },
    { type: "text", text: "bc", annotations: { audience: ["user", "assistant"] } },
    { type: "image", annotations: { audience: ["user"] } },
    null,
  ];
  expect(event(answered({ status: "success", value }))).toMatchObject({ bytes: 2, images: 0 });
});

test("other parts have no event", () => {
  for (const part of [null, 4, [], { type: "text" }, { type: "text", id: "x" }, { id: 4 }]) {
    expect(event(part)).toBeUndefined();
  }
});
