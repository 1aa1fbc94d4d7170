import { expect, test } from "bun:test";
import { plainCarrier, makeNotificationCarrier, makeStateCarrier } from "#meter/calls/call.ts";
import { textOf } from "../../support/bytes.ts";

const parsed = (line: Uint8Array): unknown => JSON.parse(textOf(line));
const state = { taskId: "t", status: "working", result: { old: true }, error: { old: true } };

test("asItIs puts the answer where the server's own was", () => {
  expect(textOf(plainCarrier.result("1.0", { a: 1 }))).toBe(
    '{"jsonrpc":"2.0","id":1.0,"result":{"a":1}}\n',
  );
  expect(parsed(plainCarrier.error('"x"', { code: -1 }))).toEqual({
    jsonrpc: "2.0",
    id: "x",
    error: { code: -1 },
  });
});

test("inState completes the task with a result, and answers the poll with an error", () => {
  expect(parsed(makeStateCarrier(state).result("2", { a: 1 }))).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: { taskId: "t", status: "completed", result: { a: 1 } },
  });
  expect(parsed(makeStateCarrier(state).error("2", { code: -1 }))).toMatchObject({
    error: { code: -1 },
  });
});

test("inNotification tells the same without an id", () => {
  const carrier = makeNotificationCarrier("notifications/tasks", state);
  expect(parsed(carrier.result("2", { a: 1 }))).toEqual({
    jsonrpc: "2.0",
    method: "notifications/tasks",
    params: { taskId: "t", status: "completed", result: { a: 1 } },
  });
  expect(parsed(carrier.error("2", { code: -1 }))).toEqual({
    jsonrpc: "2.0",
    method: "notifications/tasks",
    params: { taskId: "t", status: "failed", error: { code: -1 } },
  });
});
