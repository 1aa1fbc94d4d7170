import { describe, expect, test } from "bun:test";
import type { Arrival } from "#meter/calls/call.ts";
import { describeRequest } from "#tokens/cost/describe-calls.ts";
import { RoundTrips } from "#meter/calls/round-trips.ts";
import { callOf } from "../../support/made-calls.ts";
import { suspendedCallsMax } from "#meter/calls/task-steps.ts";

const begun = (id: number, params: object = { name: "plan", arguments: { to: "Rome" } }) =>
  callOf(params, { id });

const rounds = () => new RoundTrips((text) => text);

function arrival(atMs = 0): Arrival {
  const line = { bytes: undefined, size: 10, skim: undefined };
  return { from: "server", line, item: undefined, size: 10, hasPassed: false, atMs };
}

const state = (requestState: string | undefined, entries?: unknown) => ({ requestState, entries });
const sampling = { method: "sampling/createMessage", params: { messages: [] } };

describe("RoundTrips", () => {
  test("without a state, by tool and arguments", () => {
    const trips = rounds();
    const call = begun(1);
    trips.suspend(call, state(undefined), arrival(0));
    const elsewhere = describeRequest("tools/call", { name: "plan", arguments: { to: "Oslo" } });
    expect(trips.resume("tools/call", elsewhere, state(undefined, {}))).toBeUndefined();
    expect(trips.resume("tools/call", call.request, state(undefined, {}))?.call).toBe(call);
  });

  test("what a model answers in a round is a call of the server", () => {
    const trips = rounds();
    const call = begun(1);
    const entries = { a: sampling, b: { method: "elicitation/create" }, c: sampling };
    trips.suspend(call, state("s", entries), arrival(3));
    const answers = { a: { content: [] }, b: {}, z: {} };
    const resumed = trips.resume("tools/call", call.request, state("s", answers));
    expect(resumed?.answered).toMatchObject([
      {
        call: { method: "sampling/createMessage", from: "server", id: undefined, startedMs: 3 },
        result: { content: [] },
      },
    ]);
    expect(resumed?.answered[0]?.call.messages).toBe(2);
  });

  test("two calls that wait in the same words are both kept, the first to be resumed first", () => {
    const trips = rounds();
    const [one, other] = [begun(1), begun(2)];
    trips.suspend(one, state(undefined), arrival(0));
    trips.suspend(other, state(undefined), arrival(0));
    expect(trips.resume("tools/call", one.request, state(undefined, {}))?.call).toBe(one);
    expect(trips.drain()).toEqual([other]);
  });

  test("drain gives what still waits, once", () => {
    const trips = rounds();
    const call = begun(1);
    trips.suspend(call, state("s"), arrival(0));
    expect([trips.drain(), trips.drain()]).toEqual([[call], []]);
  });

  test(`one beyond ${suspendedCallsMax} gives up the oldest`, () => {
    const trips = rounds();
    const [first = begun(0), ...more] = Array.from({ length: suspendedCallsMax + 1 }, (_, at) =>
      begun(at),
    );
    const givenUp = [first, ...more].map((call, at) =>
      trips.suspend(call, state(`s${at}`), arrival(0)),
    );
    expect(givenUp.filter((call) => call !== undefined)).toEqual([first]);
    expect(givenUp.at(-1)).toBe(first);
    expect(trips.drain()).toHaveLength(suspendedCallsMax);
  });
});
