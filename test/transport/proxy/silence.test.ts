import { expect, test } from "bun:test";
import {
  silenceAfterExitMs,
  type DeliveryState,
  waitForSilence,
  stallAfterSignalMaxMs,
} from "#transport/proxy/leaving-deadline.ts";
import { allowed, judgedByTime } from "../../support/measure.ts";

async function silenceAfter(state: () => DeliveryState, patienceMs: number): Promise<number> {
  const startMs = performance.now();
  await waitForSilence(state, { stallMaxMs: patienceMs });
  return performance.now() - startMs;
}

test("a server that has written everything is silent soon", judgedByTime, async () => {
  const tookMs = await silenceAfter(() => ({ kind: "idle", lastProgressMs: 0 }), Infinity);
  expect(tookMs).toBeGreaterThanOrEqual(silenceAfterExitMs);
  expect(tookMs).toBeLessThan(silenceAfterExitMs + allowed(200));
});

test("bytes that still move are waited for", async () => {
  const endMs = performance.now() + 400;
  const state = (): DeliveryState => ({
    kind: "idle",
    lastProgressMs: Math.min(performance.now(), endMs),
  });
  expect(await silenceAfter(state, Infinity)).toBeGreaterThanOrEqual(400 + silenceAfterExitMs - 1);
});

test(
  "a client that is leaving and takes nothing has its patience twice: before and after the pipe is enlarged",
  judgedByTime,
  async () => {
    const tookMs = await silenceAfter(() => ({ kind: "waits-for-client", lastProgressMs: 0 }), 100);
    expect(tookMs).toBeGreaterThanOrEqual(100 + stallAfterSignalMaxMs);
    expect(tookMs).toBeLessThan(100 + stallAfterSignalMaxMs + allowed(200));
  },
);

test("bytes that wait for our own judge are never given up", async () => {
  const startMs = performance.now();
  const isJudged = (): boolean => performance.now() - startMs > 600;
  const state = (): DeliveryState => ({
    kind: isJudged() ? "idle" : "waits-for-judge",
    lastProgressMs: 0,
  });
  expect(await silenceAfter(state, 10)).toBeGreaterThanOrEqual(600);
});
