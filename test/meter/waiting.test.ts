import { describe, expect, test } from "bun:test";
import { throttledCallsMax, throttleWaitMaxMs } from "#limits.ts";
import { Call } from "#meter/call.ts";
import { askedOf } from "#meter/parts.ts";
import { WaitingRoom } from "#meter/waiting.ts";
import { bytesOf } from "../support/bytes.ts";

const method = "tools/call";

/** A request that waits from `sinceMs` until `untilMs`. */
function waiting(id: string, sinceMs: number, untilMs: number) {
  const request = { id: { value: id }, method, truncated: false };
  const call = new Call("client", request, askedOf(method, { name: "t" }), 10, sinceMs);
  return { call, bytes: bytesOf("{}\n"), sinceMs, untilMs };
}

describe("WaitingRoom", () => {
  test("wakes for the first that may go, and for nobody when it is empty", () => {
    const room = new WaitingRoom();
    expect(room.wakeAtMs).toBeUndefined();
    room.add(waiting("a", 0, 900));
    room.add(waiting("b", 0, 500));
    expect(room.wakeAtMs).toBe(500);
    expect(room.takeAll().map(({ call }) => call.id?.value)).toEqual(["a", "b"]);
    expect(room.wakeAtMs).toBeUndefined();
  });

  test("gives the one that is taken back, once", () => {
    const room = new WaitingRoom();
    room.add(waiting("a", 0, 900));
    expect(room.take("b")).toBeUndefined();
    expect(room.take("a")?.id?.value).toBe("a");
    expect(room.take("a")).toBeUndefined();
  });

  test("nobody waits longer than a client does, nor when there is no place", () => {
    const room = new WaitingRoom();
    expect(room.mayWaitMs(1, 0, 0)).toBe(throttleWaitMaxMs);
    expect(room.mayWaitMs(1, 0, throttleWaitMaxMs + 1)).toBe(0);
    for (let at = 0; at < throttledCallsMax; at += 1) room.add(waiting(`${at}`, 0, 1));
    expect(room.mayWaitMs(1, 0, 0)).toBe(0);
  });
});
