import { expect, test } from "bun:test";
import { unprocessedBytesMax } from "#limits.ts";
import { LineScheduler } from "#proxy/line-scheduler.ts";

test("LineScheduler: a turn should end after some two milliseconds, and nextTurn begins another", async () => {
  const scheduler = new LineScheduler();
  expect(scheduler.shouldYield).toBe(false);
  const until = performance.now() + 5;
  while (performance.now() < until);
  expect(scheduler.shouldYield).toBe(true);
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  await scheduler.nextTurn();
  expect([hasTurned, scheduler.shouldYield]).toEqual([true, false]);
});

test("LineScheduler: deferred tasks run one after the other, however long each takes", async () => {
  const scheduler = new LineScheduler();
  const steps: string[] = [];
  const task = (name: string) => async (): Promise<void> => {
    steps.push(`${name} begins`);
    await scheduler.nextTurn();
    steps.push(`${name} ends`);
  };
  const first = scheduler.defer(task("question"));
  const second = scheduler.defer(task("answer"));
  expect(scheduler.isBusy).toBe(true);
  await scheduler.idle();
  await Promise.all([first, second]);
  expect(steps).toEqual(["question begins", "question ends", "answer begins", "answer ends"]);
  expect(scheduler.isBusy).toBe(false);
});

test("LineScheduler is behind beyond the limit of unprocessed bytes, until a task has processed them", async () => {
  const scheduler = new LineScheduler();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = scheduler.defer(() => promise, unprocessedBytesMax);
  expect(scheduler.isBehind).toBe(false);
  const second = scheduler.defer(() => promise, 1);
  expect(scheduler.isBehind).toBe(true);
  resolve();
  await Promise.all([first, second]);
  expect(scheduler.isBehind).toBe(false);
});

test("LineScheduler: a task that fails leaves nothing behind", async () => {
  const scheduler = new LineScheduler();
  const failing = scheduler.defer(() => Promise.reject(new Error("broken")), 7);
  expect(await failing.catch(String)).toBe("Error: broken");
  expect([scheduler.isBusy, scheduler.isBehind]).toEqual([false, false]);
});
