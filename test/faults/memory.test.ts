import { expect, setDefaultTimeout, test } from "bun:test";

import { memoryOf } from "../support/processes.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

const longestMs = 120_000;
setDefaultTimeout(longestMs);

const megabyte = 1_000_000;

/** Answers go to /dev/null, so that the client is never what is waited for. */
const unread = { under: ["sh", "-c", 'exec "$@" >/dev/null', "sh"], flags: ["--summary", "off"] };

test("row 75: answers of 1 MB without end → memory flat, each counted exactly (slow)", async () => {
  const count = 150;
  await using session = metered(fixture("answers-by-the-megabyte", String(megabyte)), unread);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  await session.send(initialize(0), ...ids.map((id) => call(id, "read_table", { page: id })));
  const recorded = () => session.records("call").length === count;
  await eventually("every call recorded", recorded, longestMs);
  // An idle session takes some 70 MB; half of these answers, kept, would be more than the difference.
  expect(memoryOf(session.pid).peak).toBeLessThan(180 * megabyte);
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  const calls = session.records("call");
  expect(calls.filter(({ truncated }) => truncated)).toEqual([]);
  expect(new Set(calls.map(({ request_id: id }) => id)).size).toBe(count);
});

test("row 75: requests of 1 MB without end → memory flat, each counted exactly (slow)", async () => {
  const count = 100;
  await using session = metered(fixture("honest"), unread);
  await session.send(initialize("init"));
  const text = "an order left the warehouse in Basel at noon, ".repeat(21_000);
  for (let id = 1; id <= count; id += 1) {
    await session.send(call(id, "echo", { text, delay_ms: 0 }));
  }
  const recorded = () => session.records("call").length === count;
  await eventually("every call recorded", recorded, longestMs);
  expect(memoryOf(session.pid).peak).toBeLessThan(180 * megabyte);
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  expect(session.records("call").filter(({ truncated }) => truncated)).toEqual([]);
});

test("row 75: millions of empty lines → memory bounded, and the end comes soon (slow)", async () => {
  const server = ["sh", "-c", "head -c 3000000 /dev/zero | tr '\\000' '\\n'"];
  await using session = metered(server, unread);
  const peaks: number[] = [];
  const timer = setInterval(() => {
    const { peak } = memoryOf(session.pid);
    if (peak > 0) peaks.push(peak);
  }, 10);
  try {
    expect(await session.ended(longestMs)).toEqual({ code: 0, signal: null });
  } finally {
    clearInterval(timer);
  }
  expect(peaks.length).toBeGreaterThan(0);
  expect(Math.max(...peaks)).toBeLessThan(200 * megabyte);
});
