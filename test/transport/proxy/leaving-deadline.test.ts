import { expect, test } from "bun:test";
import {
  judgeRemaining,
  stallAfterCloseMaxMs,
  DeliveryDeadline,
  stallAfterSignalMaxMs,
} from "#transport/proxy/leaving-deadline.ts";
import { eventually } from "../../support/wait.ts";

test("a client that stays is waited for without end, one that leaves is not", () => {
  const deadline = new DeliveryDeadline();
  expect(deadline.stallMaxMs).toBe(Infinity);
  deadline.noteEof();
  expect(deadline.stallMaxMs).toBe(stallAfterCloseMaxMs);
  deadline.noteSignal();
  expect(deadline.stallMaxMs).toBe(stallAfterSignalMaxMs);
});

test("a leaving client waits for a bounded time once the server has exited, a signaling one from its signal on", async () => {
  const deadline = new DeliveryDeadline();
  const calls: boolean[] = [];
  deadline.noteExit((isSignaled) => calls.push(isSignaled));
  expect(deadline.endMs).toBe(Infinity);
  const before = performance.now();
  deadline.noteEof();
  expect(deadline.endMs).toBeGreaterThanOrEqual(before + 1_200);
  expect(deadline.endMs).toBeLessThan(performance.now() + 1_201);
  await eventually("the end of its time", () => calls.length > 0);
  expect(performance.now()).toBeGreaterThan(before + 1_100);
  deadline.noteSignal();
  deadline.stop();
  expect(calls).toEqual([false]);
});

test("the exit of a server that had to be killed leaves a moment", () => {
  const deadline = new DeliveryDeadline();
  deadline.noteSignal();
  const signaledMs = performance.now();
  expect(deadline.endMs).toBe(Infinity);
  deadline.noteExit(() => undefined);
  deadline.stop();
  expect(deadline.endMs).toBeGreaterThan(signaledMs + 1_100);
});

test("judgeRemaining: waits for the lines, and hurries the judge when that takes too long", async () => {
  const judged = Promise.withResolvers<void>();
  const log: string[] = [];
  const judging = judgeRemaining(judged.promise, {
    hurry: () => judged.resolve(void log.push("hurry")),
  });
  await judging;
  expect(log).toEqual(["hurry"]);
  await judgeRemaining(Promise.resolve(), { hurry: () => void log.push("again") });
  expect(log).toEqual(["hurry"]);
});
