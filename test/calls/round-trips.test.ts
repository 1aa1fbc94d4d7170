import { describe, expect, test } from "bun:test";
import { suspendedCallsMax } from "#limits.ts";
import { Call } from "#calls/call.ts";
import type { Closing } from "#calls/outcome.ts";
import { describeRequest } from "#cost/methods.ts";
import { RoundTrips } from "#calls/round-trips.ts";

type Closed = readonly [call: Call, closing: Omit<Closing, "endedMs">];

function begun(id: number, params: object = { name: "plan", arguments: { to: "Rome" } }): Call {
  const request = { id: { value: id }, method: "tools/call", params, truncated: false };
  return new Call("client", request, describeRequest("tools/call", params), 10, 0);
}

function rounds(): { trips: RoundTrips; closed: Closed[] } {
  const closed: Closed[] = [];
  const trips = new RoundTrips(
    (text) => text,
    (call, closing) => closed.push([call, closing]),
  );
  return { trips, closed };
}

const state = (requestState: string | undefined, entries?: unknown) => ({ requestState, entries });
const sampling = { method: "sampling/createMessage", params: { messages: [] } };

describe("RoundTrips", () => {
  test("a retry is known by its state, whatever it asks", () => {
    const { trips } = rounds();
    const call = begun(1);
    trips.suspend(call, state("s"), 10, 0);
    const other = describeRequest("tools/call", { name: "other" });
    expect(trips.resume("tools/call", other, state("t"))).toBeUndefined();
    expect(trips.resume("tools/call", other, state("s"))).toBe(call);
    expect(trips.resume("tools/call", other, state("s"))).toBeUndefined();
  });

  test("without a state, by tool and arguments", () => {
    const { trips } = rounds();
    const call = begun(1);
    trips.suspend(call, state(undefined), 10, 0);
    const elsewhere = describeRequest("tools/call", { name: "plan", arguments: { to: "Oslo" } });
    expect(trips.resume("tools/call", elsewhere, state(undefined, {}))).toBeUndefined();
    expect(trips.resume("tools/call", call.asked, state(undefined, {}))).toBe(call);
  });

  test("what a model answers in a round is a call of the server", () => {
    const { trips, closed } = rounds();
    const call = begun(1);
    const entries = { a: sampling, b: { method: "elicitation/create" }, c: sampling };
    trips.suspend(call, state("s", entries), 10, 3);
    trips.resume("tools/call", call.asked, state("s", { a: { content: [] }, b: {}, z: {} }));
    expect(
      closed.map(([{ method, from, id, startedMs }, { outcome }]) => ({
        method,
        from,
        id,
        startedMs,
        outcome,
      })),
    ).toEqual([
      {
        method: "sampling/createMessage",
        from: "server",
        id: undefined,
        startedMs: 3,
        outcome: "ok",
      },
    ]);
  });

  test("two calls that wait in the same words are both kept, the first to be resumed first", () => {
    const { trips } = rounds();
    const [one, other] = [begun(1), begun(2)];
    trips.suspend(one, state(undefined), 10, 0);
    trips.suspend(other, state(undefined), 10, 0);
    expect(trips.resume("tools/call", one.asked, state(undefined, {}))).toBe(one);
    expect(trips.drain()).toEqual([other]);
  });

  test("drain gives what still waits, once", () => {
    const { trips } = rounds();
    const call = begun(1);
    trips.suspend(call, state("s"), 10, 0);
    expect([trips.drain(), trips.drain()]).toEqual([[call], []]);
  });

  test(`one beyond ${suspendedCallsMax} abandons the oldest`, () => {
    const { trips, closed } = rounds();
    for (let at = 0; at <= suspendedCallsMax; at += 1)
      trips.suspend(begun(at), state(`s${at}`), 10, 0);
    expect(closed.map(([call, { outcome }]) => [call.id?.value, outcome])).toEqual([
      [0, "abandoned"],
    ]);
    expect(trips.drain()).toHaveLength(suspendedCallsMax);
  });
});
