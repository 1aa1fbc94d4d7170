import { describe, expect, test } from "bun:test";
import {
  Checkpoints,
  checkpointBurstMax,
  checkpointDelayMs,
  checkpointPeriodMs,
} from "#transport/proxy/observer.ts";
import { allowed, judgedByTime } from "../../support/measure.ts";
import { eventually } from "../../support/wait.ts";

function saving() {
  const started = performance.now();
  const savedMs: number[] = [];
  const checkpoints = new Checkpoints(() => savedMs.push(performance.now() - started));
  return { checkpoints, savedMs };
}

describe("Checkpoints", () => {
  test("save once, some time after the first of many records", async () => {
    const { checkpoints, savedMs } = saving();
    for (let at = 0; at < 100; at += 1) checkpoints.schedule();
    expect(savedMs).toEqual([]);
    await eventually("the first checkpoint", () => savedMs.length > 0);
    expect(savedMs[0]).toBeGreaterThanOrEqual(checkpointDelayMs - 1);
    checkpoints.stop();
  });

  test("follow each other at once at first, then keep a distance", judgedByTime, async () => {
    const { checkpoints, savedMs } = saving();
    for (let count = 1; count <= checkpointBurstMax + 1; count += 1) {
      checkpoints.schedule();
      await eventually(`checkpoint ${count}`, () => savedMs.length === count);
    }
    const [first = 0] = savedMs;
    expect((savedMs.at(-1) ?? 0) - first).toBeGreaterThanOrEqual(checkpointPeriodMs - 2);
    expect((savedMs.at(-2) ?? 0) - first).toBeLessThan(allowed(checkpointPeriodMs));
    checkpoints.stop();
  });

  test("save at once when the client says goodbye, and soon after what follows", async () => {
    const { checkpoints, savedMs } = saving();
    checkpoints.schedule();
    checkpoints.startLeaving();
    expect(savedMs).toHaveLength(1);
    checkpoints.schedule();
    await eventually("one more", () => savedMs.length === 2);
    checkpoints.startLeaving();
    expect(savedMs).toHaveLength(3);
  });

  test("save nothing after they were stopped", async () => {
    const { checkpoints, savedMs } = saving();
    checkpoints.schedule();
    checkpoints.stop();
    await Bun.sleep(2 * checkpointDelayMs);
    expect(savedMs).toEqual([]);
  });
});
