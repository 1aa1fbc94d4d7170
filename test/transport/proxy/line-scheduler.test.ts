import { expect, test } from "bun:test";
import { unprocessedBytesMax, LineScheduler, turnMaxMs, Turn } from "#transport/proxy/judge.ts";

test("LineScheduler: a turn should end after its longest time, and nextTurn begins another", async () => {
  let nowMs = 1_000;
  const scheduler = new LineScheduler(new Turn(() => nowMs));
  nowMs += turnMaxMs;
  expect(scheduler.shouldYield).toBe(false);
  nowMs += 1;
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
  await scheduler.whenIdle();
  await Promise.all([first, second]);
  expect(steps).toEqual(["question begins", "question ends", "answer begins", "answer ends"]);
  expect(scheduler.isBusy).toBe(false);
});

test("LineScheduler: beyond the limit of unprocessed bytes that side waits until they are processed, the other does not", async () => {
  const scheduler = new LineScheduler();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = scheduler.defer(() => promise, { from: "server", bytes: unprocessedBytesMax });
  expect(scheduler.whenCaughtUp("server")).toBeUndefined();
  const second = scheduler.defer(() => promise, { from: "server", bytes: 1 });
  const caughtUp = scheduler.whenCaughtUp("server");
  expect([caughtUp instanceof Promise, scheduler.whenCaughtUp("client")]).toEqual([
    true,
    undefined,
  ]);
  resolve();
  await Promise.all([first, second, caughtUp]);
  expect(scheduler.whenCaughtUp("server")).toBeUndefined();
});

test("LineScheduler: a task that fails leaves nothing behind", async () => {
  const scheduler = new LineScheduler();
  const bytes = unprocessedBytesMax + 1;
  const failing = scheduler.defer(reject, { from: "client", bytes });
  expect(await failing.catch(String)).toBe("Error: broken");
  expect([scheduler.isBusy, scheduler.whenCaughtUp("client")]).toEqual([false, undefined]);
});

const reject = (): Promise<void> => Promise.reject(new Error("broken"));
