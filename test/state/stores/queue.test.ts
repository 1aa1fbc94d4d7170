import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import {
  storeWaitFactorMax,
  storeTriesMin,
  LockWait,
  storeBusyMaxMs,
} from "#state/stores/sqlite/lock-waits.ts";
import { Folder } from "../../support/folder.ts";

const busyMaxMs = 100;
const longestMs = busyMaxMs * storeWaitFactorMax;
const triesMin = (storeTriesMin * busyMaxMs) / storeBusyMaxMs;

function wait(path: string, pauseMs: number, between: () => void = () => {}) {
  const startedMs = performance.now();
  const queue = new LockWait(path, busyMaxMs);
  while (!queue.isStuck()) {
    between();
    Bun.sleepSync(pauseMs);
  }
  return { tries: queue.tries, ms: performance.now() - startedMs };
}

describe("LockWait", () => {
  test("is stuck when nobody writes for long enough, and that was seen often enough", () => {
    using folder = new Folder();
    const { tries, ms } = wait(folder.file("c.sqlite", ""), 1);
    expect(tries).toBeGreaterThanOrEqual(triesMin);
    expect(ms).toBeGreaterThan(busyMaxMs);
  });

  test("waits longer where the processor is scarce, but not for ever", () => {
    using folder = new Folder();
    const { tries, ms } = wait(folder.file("c.sqlite", ""), 210);
    expect(tries).toBeLessThan(triesMin);
    expect(ms).toBeGreaterThan(longestMs);
  });

  test("moves while others write, but not for ever", () => {
    using folder = new Folder();
    const path = folder.file("c.sqlite", "");
    let seconds = 0;
    const { tries, ms } = wait(path, 0, () => utimesSync(path, 0, (seconds += 1)));
    expect(tries).toBeGreaterThan(triesMin);
    expect(ms).toBeGreaterThan(longestMs);
  });

  test("needs no file", () => {
    expect(wait("/nowhere/at/all", 0).tries).toBeGreaterThanOrEqual(triesMin);
  });
});
