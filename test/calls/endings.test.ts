import { expect, test } from "bun:test";
import { Call } from "#calls/call.ts";
import { asItIs } from "#calls/carrier.ts";
import { answeredWith, ended, given } from "#calls/endings.ts";
import { describeRequest } from "#cost/methods.ts";

const origin = { from: "client", size: 9, atMs: 0 } as const;
const request = { id: { value: 1 }, method: "tools/call", params: {}, truncated: false };
const call = new Call(request, describeRequest("tools/call", {}), origin);
const line = { bytes: undefined, size: 9, skim: undefined };
const arrival = {
  from: "server",
  size: 9,
  atMs: 5,
  line,
  item: undefined,
  hasPassed: false,
} as const;

test("a call ends without an answer; one that was given up is abandoned", () => {
  const cancelled = { kind: "closed", call, closing: { outcome: "cancelled", endedMs: 5 } };
  expect(ended(call, "cancelled", 5)).toEqual(cancelled as never);
  expect(given(call, 5)).toEqual([ended(call, "abandoned", 5)]);
  expect(given(undefined, 5)).toEqual([]);
});

test("an answer ends a call as its result or error says, and can be replaced by its carrier", () => {
  expect(answeredWith(call, { result: { isError: true } }, arrival, asItIs)).toMatchObject({
    closing: { outcome: "tool_error", endedMs: 5 },
    answer: { carrier: asItIs },
  });
  const failed = answeredWith(call, { error: {} }, arrival);
  expect(failed.closing.outcome).toBe("rpc_error");
  expect(failed.answer).toBeUndefined();
});
