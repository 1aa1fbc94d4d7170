import { expect, test } from "bun:test";
import { suspendedCallsMax } from "#limits.ts";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { Tasks } from "#calls/tasks.ts";

function begun(id: number): Call {
  const request = { id: { value: id }, method: "tools/call", params: {}, truncated: false };
  return new Call(request, describeRequest("tools/call", {}), {
    from: "client",
    size: 10,
    atMs: 0,
  });
}

test("a task's call is known until it is taken, once", () => {
  const tasks = new Tasks();
  const call = begun(1);
  expect(tasks.remember("t", call)).toBeUndefined();
  expect([tasks.has("t"), tasks.has("u"), tasks.has(undefined)]).toEqual([true, false, false]);
  expect([tasks.take("t"), tasks.take("t"), tasks.take(undefined)]).toEqual([
    call,
    undefined,
    undefined,
  ]);
});

test("a second task of the same name gives the first call back, the same call is no second", () => {
  const tasks = new Tasks();
  const [one, other] = [begun(1), begun(2)];
  tasks.remember("t", one);
  expect([tasks.remember("t", one), tasks.remember("t", other)]).toEqual([undefined, one]);
  expect(tasks.drain()).toEqual([other]);
  expect(tasks.drain()).toEqual([]);
});

test(`one beyond ${suspendedCallsMax} gives up the oldest`, () => {
  const tasks = new Tasks();
  const first = begun(0);
  tasks.remember("t0", first);
  for (let at = 1; at < suspendedCallsMax; at += 1)
    expect(tasks.remember(`t${at}`, begun(at))).toBeUndefined();
  expect(tasks.remember("one more", begun(-1))).toBe(first);
});
