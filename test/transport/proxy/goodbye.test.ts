import { expect, test } from "bun:test";
import {
  unreadAfterCloseMaxMs,
  Goodbye,
  unreadAfterSignalMaxMs,
} from "#transport/proxy/forwarding.ts";
import { eventually } from "../../support/wait.ts";

test("a client that stays is waited for without end, one that leaves is not", () => {
  const goodbye = new Goodbye();
  expect(goodbye.deliveryMaxMs).toBe(Infinity);
  goodbye.noteEof();
  expect(goodbye.deliveryMaxMs).toBe(unreadAfterCloseMaxMs);
  goodbye.noteSignal();
  expect(goodbye.deliveryMaxMs).toBe(unreadAfterSignalMaxMs);
});

test("a leaving client waits for a bounded time once the server has exited, a signaling one from its signal on", async () => {
  const goodbye = new Goodbye();
  const calls: boolean[] = [];
  goodbye.noteExit((isSignaled) => calls.push(isSignaled));
  expect(goodbye.endMs).toBe(Infinity);
  const before = performance.now();
  goodbye.noteEof();
  expect(goodbye.endMs).toBeGreaterThanOrEqual(before + 1_200);
  expect(goodbye.endMs).toBeLessThan(performance.now() + 1_201);
  await eventually("the end of its time", () => calls.length > 0);
  expect(performance.now()).toBeGreaterThan(before + 1_100);
  goodbye.noteSignal();
  goodbye.stop();
  expect(calls).toEqual([false]);
});

test("the exit of a server that had to be killed leaves a moment", () => {
  const goodbye = new Goodbye();
  goodbye.noteSignal();
  const signaledMs = performance.now();
  expect(goodbye.endMs).toBe(Infinity);
  goodbye.noteExit(() => undefined);
  goodbye.stop();
  expect(goodbye.endMs).toBeGreaterThan(signaledMs + 1_100);
});
