import { expect, test } from "bun:test";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { Repeats } from "#budgets/repeats.ts";

function asked(name: string, q = 1): Call {
  const params = { name, arguments: { q } };
  const request = { id: { value: 1 }, method: "tools/call", params, truncated: false };
  return new Call("client", request, describeRequest("tools/call", params), 10, 0);
}

test("tells the one after the last that is allowed, until something else is asked", () => {
  const repeats = new Repeats(2);
  const told = [
    asked("a"),
    asked("a"),
    asked("a"),
    asked("a"),
    asked("a", 2),
    asked("b"),
    asked("a"),
  ].map((call) => repeats.add(call));
  expect(told).toEqual([undefined, undefined, 2, 3, undefined, undefined, undefined]);
});

test("without a limit tells nothing", () => {
  const repeats = new Repeats(undefined);
  expect([1, 2, 3].map(() => repeats.add(asked("a")))).toEqual([undefined, undefined, undefined]);
});
