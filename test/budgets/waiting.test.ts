import { describe, expect, test } from "bun:test";
import { throttledBytesMax, throttledCallsMax, throttleWaitMaxMs } from "#limits.ts";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { type Waiting, WaitingRoom } from "#budgets/waiting.ts";

const bytes = new Uint8Array(10);

function waiting(id: number | string, untilMs = 100): Waiting {
  const request = { id: { value: id }, method: "ping", truncated: false };
  const call = new Call("client", request, describeRequest("ping", undefined), 10, 0);
  return { call, bytes, sinceMs: 0, untilMs };
}

describe("WaitingRoom", () => {
  test("wakes when the first of them may go", () => {
    const room = new WaitingRoom();
    expect(room.wakeAtMs).toBeUndefined();
    for (const untilMs of [300, 100, 200]) room.add(waiting(1, untilMs));
    expect(room.wakeAtMs).toBe(100);
    expect(room.takeAll()).toHaveLength(3);
    expect(room.wakeAtMs).toBeUndefined();
  });

  test("gives one out by its id, of two the older, a number apart from its text", () => {
    const room = new WaitingRoom();
    const all = [waiting("1"), waiting(1), waiting(1)];
    for (const one of all) room.add(one);
    expect([room.take(1), room.take(1), room.take(1)]).toEqual([
      all[1]?.call,
      all[2]?.call,
      undefined,
    ]);
    expect(room.takeAll()).toEqual(all.slice(0, 1));
  });

  test("lets wait for so long since a request came, and no longer", () => {
    const room = new WaitingRoom();
    expect(room.mayWaitMs(10, 1_000, 1_000)).toBe(throttleWaitMaxMs);
    expect(room.mayWaitMs(10, 1_000, 1_000 + throttleWaitMaxMs - 1)).toBe(1);
    expect(room.mayWaitMs(10, 1_000, 1_000 + throttleWaitMaxMs + 1)).toBe(0);
  });

  test(`holds ${throttledCallsMax} requests and ${throttledBytesMax} bytes, not one more`, () => {
    const room = new WaitingRoom();
    expect(room.mayWaitMs(throttledBytesMax, 0, 0)).toBeGreaterThan(0);
    expect(room.mayWaitMs(throttledBytesMax + 1, 0, 0)).toBe(0);
    for (let id = 1; id < throttledCallsMax; id += 1) room.add(waiting(id));
    expect(room.mayWaitMs(10, 0, 0)).toBeGreaterThan(0);
    room.add(waiting(0));
    expect(room.mayWaitMs(10, 0, 0)).toBe(0);
    room.take(0);
    expect(room.mayWaitMs(10, 0, 0)).toBeGreaterThan(0);
  });
});
