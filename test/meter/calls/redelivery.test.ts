import { makeRedelivery } from "#meter/calls/round-trips.ts";
import { expect, test } from "bun:test";
import { callOf } from "../../support/made-calls.ts";

const line = { bytes: undefined, size: 30, skim: undefined };
const arrival = {
  from: "server",
  size: 30,
  atMs: 9,
  line,
  item: undefined,
  hasPassed: false,
} as const;

const poll = callOf({ taskId: "t" }, { id: 7, method: "tasks/result", size: 12, atMs: 3 });

test("a result that comes again is a call of the task's method and tool, with the id of its poll", () => {
  const owner = {
    method: "tools/call",
    tool: "search",
    tally: { tokens: 5, owed: 0 },
    isForApp: false,
  };
  const call = makeRedelivery(owner, { from: "client", poll, arrival });
  expect(call).toMatchObject({
    method: "tools/call",
    isRedelivery: true,
    startedMs: 3,
    inputBytes: 12,
  });
  expect(call.request).toEqual({
    isCall: true,
    tool: "search",
    input: [],
    arguments: undefined,
    caller: {},
  });
  expect(call.id).toEqual({ value: 7 });
  expect(call.tally).toBe(owner.tally);
});

test("without an owner it is a call of an unknown tool; of the server, of its model", () => {
  const unknown = makeRedelivery(undefined, { from: "client", poll: undefined, arrival });
  expect([unknown.method, unknown.request.tool, unknown.id]).toEqual([
    "tools/call",
    null,
    undefined,
  ]);
  const sampled = makeRedelivery(undefined, { from: "server", poll: undefined, arrival });
  expect([sampled.method, sampled.startedMs]).toEqual(["sampling/createMessage", 9]);
});
