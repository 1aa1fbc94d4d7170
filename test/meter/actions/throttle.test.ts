import {
  throttleWaitMaxMs,
  throttledBytesMax,
  throttledCallsMax,
  type HeldRequest,
  HeldRequests,
  makeRequested,
} from "#meter/actions/throttle.ts";
import { describe, expect, test } from "bun:test";
import { callOf } from "../../support/made-calls.ts";

const bytes = new Uint8Array(10);

function held(id: number | string, untilMs = 100): HeldRequest {
  return { call: callOf(undefined, { id, method: "ping" }), bytes, sinceMs: 0, untilMs };
}

describe("HeldRequests", () => {
  test("wakes when the first of them may go", () => {
    const room = new HeldRequests();
    expect(room.wakeAtMs).toBeUndefined();
    for (const untilMs of [300, 100, 200]) room.add(held(1, untilMs));
    expect(room.wakeAtMs).toBe(100);
    expect(room.takeAll()).toHaveLength(3);
    expect(room.wakeAtMs).toBeUndefined();
  });

  test("gives one out by its id, of two the older, a number apart from its text", () => {
    const room = new HeldRequests();
    const all = [held("1"), held(1), held(1)];
    for (const one of all) room.add(one);
    expect([room.take(1), room.take(1), room.take(1)]).toEqual([
      all[1]?.call,
      all[2]?.call,
      undefined,
    ]);
    expect(room.takeAll()).toEqual(all.slice(0, 1));
  });

  test("lets wait for so long since a request came, and no longer", () => {
    const room = new HeldRequests();
    expect(room.computeHoldMaxMs(10, 1_000, 1_000)).toBe(throttleWaitMaxMs);
    expect(room.computeHoldMaxMs(10, 1_000, 1_000 + throttleWaitMaxMs - 1)).toBe(1);
    expect(room.computeHoldMaxMs(10, 1_000, 1_000 + throttleWaitMaxMs + 1)).toBe(0);
  });

  test(`holds ${throttledCallsMax} requests and ${throttledBytesMax} bytes, not one more`, () => {
    const room = new HeldRequests();
    expect(room.computeHoldMaxMs(throttledBytesMax, 0, 0)).toBeGreaterThan(0);
    expect(room.computeHoldMaxMs(throttledBytesMax + 1, 0, 0)).toBe(0);
    for (let id = 1; id < throttledCallsMax; id += 1) room.add(held(id));
    expect(room.computeHoldMaxMs(10, 0, 0)).toBeGreaterThan(0);
    room.add(held(0));
    expect(room.computeHoldMaxMs(10, 0, 0)).toBe(0);
    room.take(0);
    expect(room.computeHoldMaxMs(10, 0, 0)).toBeGreaterThan(0);
  });
});

test("requestedAgain is the request as it arrived, at another time", () => {
  const one = held(1);
  expect(makeRequested(one, 7)).toMatchObject({
    kind: "requested",
    call: one.call,
    arrival: { from: "client", line: { bytes, size: 10 }, size: 10, atMs: 7, hasPassed: false },
  });
});
