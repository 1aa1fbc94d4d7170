import { expect, test } from "bun:test";
import { callOf } from "../../support/made-calls.ts";

const begun = (method: string, params?: unknown) => callOf(params, { method, size: 100 });

test("a call is its request and its answer", () => {
  const call = begun("tools/call", { name: "search" });
  call.addAnswer(40, false);
  expect(call).toMatchObject({ messages: 2, inputBytes: 100, outputBytes: 40, truncated: false });
});

test("further messages add up, and one unread message marks the whole call", () => {
  const call = begun("tools/call", { name: "search" });
  call.addAnswer(40, true);
  call.addRequest(10);
  call.addAnswer(2, false);
  expect(call).toMatchObject({ messages: 4, inputBytes: 110, outputBytes: 42, truncated: true });
});

test("the subject is a list's cursor or a task's id", () => {
  const params = { cursor: "page 2", taskId: "t" };
  const subjects = ["tools/list", "tasks/get", "tasks/result", "tasks/cancel", "tools/call"].map(
    (method) => begun(method, params).subject,
  );
  expect(subjects).toEqual(["page 2", "t", "t", "t", undefined]);
});
