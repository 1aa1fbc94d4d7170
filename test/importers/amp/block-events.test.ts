import { expect, test } from "bun:test";
import { blockEvents } from "#importers/amp/block-events.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const events = (type: string, block: object) =>
  blockEvents(block, { at: 5, conversation: "T", type, model: "m", key: "T/1" }, tools);

test("a call of a server, and none of Amp's own tools", () => {
  expect(events("tool_use", { id: "a", name: "mcp__docs__x", input: { a: 1 } })).toMatchObject([
    { kind: "tool_use", id: "a", argumentBytes: 7, message: "T/1" },
  ]);
  expect(events("tool_use", { id: "a", name: "Bash" })).toEqual([]);
  expect(events("text", { id: "a", name: "mcp__docs__x" })).toEqual([]);
});

test.each([
  [{ status: "done", result: "äb" }, "ok", 3],
  [{ status: "done", result: { a: 1 } }, "ok", 7],
  [{ status: "done", result: [{ text: "a" }, "b"] }, "ok", 2],
  [{ status: "error", error: { message: "bad" } }, "tool_error", 3],
  [{ status: "rejected-by-user" }, "denied", null],
  [{ status: "cancelled" }, "cancelled", null],
] as const)("the answer %j", (run, outcome, bytes) => {
  expect(events("tool_result", { toolUseID: "a", run })).toMatchObject([{ outcome, bytes }]);
});

test("a call that runs has no answer yet", () => {
  expect(events("tool_result", { toolUseID: "a", run: { status: "in-progress" } })).toEqual([]);
  expect(events("tool_result", { run: { status: "done" } })).toEqual([]);
});
