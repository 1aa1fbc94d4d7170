import { describe, expect, test } from "bun:test";
import { plainCarrier } from "#meter/calls/call.ts";
import {
  pendingBytesMax,
  pendingLinesMax,
  PendingLines,
  findArrival,
} from "#meter/session/decider.ts";
import { bytesOf } from "../../support/bytes.ts";
import { echo } from "../../support/decisions.ts";
import { lineOverheadBytes } from "#wire/line.ts";

function arrival(size: number) {
  const line = { bytes: bytesOf("x".repeat(size)), size, skim: undefined };
  return { from: "client", line, item: undefined, size, hasPassed: false, atMs: 0 } as const;
}

const requested = (size = 9) =>
  ({ kind: "requested", call: echo(), arrival: arrival(size) }) as const;
const closing = { outcome: "ok", endedMs: 0 } as const;

describe("AskedLines", () => {
  test("keeps messages in order, each as a line, until all are taken", () => {
    const lines = new PendingLines();
    const [one, two] = [requested(), requested()];
    lines.add(one);
    lines.add(two);
    expect(lines.isEmpty).toBe(false);
    const taken = lines.takeAll();
    expect(taken.map(({ transition }) => transition)).toEqual([one, two]);
    expect(taken[0]?.bytes).toEqual(bytesOf("xxxxxxxxx\n"));
    expect(lines.isEmpty).toBe(true);
  });

  test("finds the request that is withdrawn, and no answer", () => {
    const lines = new PendingLines();
    const one = requested();
    const answer = { arrival: arrival(9), carrier: plainCarrier };
    lines.add({ kind: "closed", call: echo(), closing, answer });
    lines.add(one);
    expect(lines.takeRequest(8)).toBeUndefined();
    expect(lines.takeRequest(7)).toBe(one.call);
    expect(lines.takeRequest(7)).toBeUndefined();
    expect(lines.takeAll()).toHaveLength(1);
  });

  test("knows the calls whose answers wait", () => {
    const lines = new PendingLines();
    const call = echo();
    lines.add({ kind: "closed", call, closing });
    expect([lines.hasAnswerTo(call), lines.hasAnswerTo(echo())]).toEqual([true, false]);
  });

  test("is full at a number of lines, and at a number of bytes", () => {
    const lines = new PendingLines();
    for (let count = 1; count < pendingLinesMax; count += 1) lines.add(requested(1));
    expect(lines.isFull).toBe(false);
    lines.add(requested(1));
    expect(lines.isFull).toBe(true);
    lines.takeAll();
    lines.add(requested(pendingBytesMax - lineOverheadBytes - 2));
    expect(lines.isFull).toBe(false);
    lines.add(requested(1));
    expect(lines.isFull).toBe(true);
  });
});

describe("arrivalOf", () => {
  test("is where a message stands; a call that ended without one has none", () => {
    const one = requested();
    expect(findArrival(one)).toBe(one.arrival);
    expect(findArrival({ kind: "closed", call: echo(), closing })).toBeUndefined();
  });
});
