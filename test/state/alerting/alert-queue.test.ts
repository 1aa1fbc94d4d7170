import { describe, expect, test } from "bun:test";
import {
  AlertQueue,
  alertRepeatMs,
  alertsDeliveredMax,
  alertsPeriodMs,
  alertsRememberedMax,
  alertsWaitingMax,
} from "#state/alerting/alert-queue.ts";
import { madeAlert } from "../../support/alerts.ts";

const about = (tool: string, value = 1) => madeAlert({ tool, value });

const at = (tool: string, second: number) =>
  madeAlert({ tool, ts: `2026-09-01T12:00:0${second}.000Z` });

describe("AlertQueue", () => {
  test("gives alerts in their order, the first of a kind at once", () => {
    const queue = new AlertQueue();
    queue.add(about("a"), 10);
    queue.add(about("b"), 11);
    expect([queue.dueMs, queue.size]).toEqual([10, 2]);
    expect(queue.take(11)?.message).toEqual(about("a"));
    expect(queue.take(11)?.message).toEqual(about("b"));
    expect([queue.take(11)?.message, queue.dueMs, queue.size]).toEqual([undefined, undefined, 0]);
  });

  test("equal ones that wait are one, the newest with their number", () => {
    const queue = new AlertQueue();
    for (const value of [1, 2, 3]) queue.add(about("a", value), value);
    expect(queue.take(3)?.message).toEqual({ ...about("a", 3), count: 3 });
  });

  test("equal ones wait until the time is over; the end does not wait", () => {
    const queue = new AlertQueue();
    queue.add(about("a"), 0);
    queue.take(0);
    queue.add(about("a", 2), 1);
    expect(queue.dueMs).toBe(alertRepeatMs);
    expect(queue.take(alertRepeatMs - 1)?.message).toBeUndefined();
    expect(queue.take(alertRepeatMs)?.message).toEqual(about("a", 2));
    queue.add(about("a", 3), alertRepeatMs + 1);
    expect(queue.takeOldest(alertRepeatMs + 1)?.message).toEqual(about("a", 3));
    queue.add(about("a", 4), 3 * alertRepeatMs);
    expect(queue.dueMs).toBe(3 * alertRepeatMs);
  });

  test("at the end the oldest and the newest are there, due or not", () => {
    const queue = new AlertQueue();
    const [first, second, third] = [at("a", 1), at("b", 3), at("c", 3)];
    for (const alert of [first, second, third, at("a", 2)]) queue.add(alert, 0);
    expect(queue.takeNewest(0)?.message).toEqual(third);
    expect(queue.takeNewest(0)?.message).toEqual(second);
    queue.add(at("b", 4), 0);
    expect(queue.take(0)?.message).toMatchObject({ tool: "a", count: 2 });
    expect([
      queue.take(0)?.message,
      queue.takeOldest(0)?.message.tool,
      queue.takeOldest(0),
    ]).toEqual([undefined, "b", undefined]);
    expect(queue.takeNewest(0)?.message).toBeUndefined();
  });

  test("one that is due is not held up by one that is not", () => {
    const queue = new AlertQueue();
    queue.add(about("a"), 0);
    queue.take(0);
    queue.add(about("a"), 1);
    queue.add(about("b"), 2);
    expect(queue.take(2)?.message).toEqual(about("b"));
  });

  test("those beyond its room are counted, and equal ones still find theirs", () => {
    const queue = new AlertQueue();
    for (let n = 0; n < alertsWaitingMax; n += 1) queue.add(about(`t${n}`), 0);
    expect(queue.leftOut).toBe(0);
    queue.add(about("more"), 0);
    queue.add(about("t0"), 0);
    expect(queue.leftOut).toBe(1);
    expect(queue.take(0)?.message.count).toBe(2);
    queue.clear();
    expect([queue.leftOut, queue.size]).toEqual([alertsWaitingMax, 0]);
  });

  test("gives so many in a period and no more, and as many in the next", () => {
    const queue = new AlertQueue();
    const give = (name: string, nowMs: number) => {
      queue.add(about(name), nowMs);
      return queue.take(nowMs)?.message.tool;
    };
    for (let n = 0; n < alertsDeliveredMax; n += 1) expect(give(`t${n}`, n)).toBe(`t${n}`);
    expect([give("more", alertsPeriodMs - 1), queue.leftOut, queue.size]).toEqual([
      undefined,
      1,
      0,
    ]);
    expect([give("again", alertsPeriodMs), queue.leftOut]).toEqual(["again", 1]);
  });

  test("it remembers at least as many kinds as it gives", () => {
    expect(alertsRememberedMax).toBeGreaterThanOrEqual(alertsDeliveredMax);
  });
});
