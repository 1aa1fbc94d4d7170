import { expect, test } from "bun:test";
import {
  judgeDelayMs,
  promptDelayMs,
  promptPeriodMs,
  promptWakesMax,
  WakeUp,
} from "#transport/forwarder/thread.ts";
import { makeSharedMemory, wordIndex } from "#transport/forwarder/shared-memory.ts";

function sleeping() {
  const { words } = makeSharedMemory();
  let wakes = 0;
  const sleep = (): void => void Atomics.store(words, wordIndex.wantsWakeUp, 1);
  sleep();
  return { wakeUp: new WakeUp(words, () => (wakes += 1)), words, sleep, wakes: () => wakes };
}

test("nothing is due without news", () => {
  const { wakeUp, wakes } = sleeping();
  expect(wakeUp.computeTimeoutMs(0)).toBe(-1);
  wakeUp.wakeIfDue(1e9);
  expect(wakes()).toBe(0);
});

test("a question waits, an answer brings the judge soon", () => {
  const { wakeUp, wakes } = sleeping();
  wakeUp.notePublished(false, 1_000);
  expect(wakeUp.computeTimeoutMs(1_000)).toBe(judgeDelayMs);
  wakeUp.notePublished(true, 1_010);
  expect(wakeUp.computeTimeoutMs(1_010)).toBe(promptDelayMs);
  wakeUp.wakeIfDue(1_010 + promptDelayMs - 0.01);
  expect(wakes()).toBe(0);
  wakeUp.wakeIfDue(1_010 + promptDelayMs);
  expect([wakes(), wakeUp.computeTimeoutMs(2_000)]).toEqual([1, -1]);
});

test("what follows an answer postpones the judge, until it has waited as long as a question", () => {
  const { wakeUp, wakes } = sleeping();
  const stepMs = promptDelayMs / 2;
  for (let nowMs = 0; nowMs < judgeDelayMs; nowMs += stepMs) {
    wakeUp.notePublished(nowMs % promptDelayMs === 0, nowMs);
    wakeUp.wakeIfDue(nowMs);
    expect([nowMs, wakes()]).toEqual([nowMs, 0]);
  }
  wakeUp.wakeIfDue(judgeDelayMs);
  expect(wakes()).toBe(1);
});

test("a judge that did not come soon has not used up one of its prompt wakes", () => {
  const { wakeUp, sleep, wakes } = sleeping();
  for (let nowMs = 0; nowMs < 2 * promptWakesMax * judgeDelayMs; nowMs += promptDelayMs / 2) {
    wakeUp.notePublished(true, nowMs);
    const before = wakes();
    wakeUp.wakeIfDue(nowMs);
    if (wakes() > before) sleep();
  }
  const endMs = 2 * promptWakesMax * judgeDelayMs + promptDelayMs;
  wakeUp.notePublished(true, endMs);
  expect(wakeUp.computeTimeoutMs(endMs)).toBe(promptDelayMs);
});

test("while answers keep coming the judge takes many at once, and after a pause it is prompt again", () => {
  const { wakeUp, sleep, wakes } = sleeping();
  let nowMs = 0;
  const answerEvery10Ms = (times: number): number => {
    const before = wakes();
    for (let left = times; left > 0; left -= 1) {
      nowMs += 10;
      wakeUp.notePublished(true, nowMs);
      for (let ms = 0; ms < 10; ms += 1) {
        const woken = wakes();
        wakeUp.wakeIfDue(nowMs + ms);
        if (wakes() > woken) sleep();
      }
    }
    return wakes() - before;
  };
  expect(answerEvery10Ms(promptWakesMax)).toBe(promptWakesMax);
  const atRate = answerEvery10Ms(1_000);
  expect(atRate).toBeLessThanOrEqual(10_000 / judgeDelayMs);
  expect(atRate).toBeGreaterThan(10_000 / judgeDelayMs / 2);
  nowMs += promptWakesMax * promptPeriodMs;
  expect(answerEvery10Ms(promptWakesMax)).toBe(promptWakesMax);
});

test("a judge that is awake is not woken", () => {
  const { wakeUp, words, wakes } = sleeping();
  Atomics.store(words, wordIndex.wantsWakeUp, 0);
  wakeUp.notePublished(true, 0);
  expect(wakeUp.computeTimeoutMs(0)).toBe(-1);
  wakeUp.wakeNow();
  expect(wakes()).toBe(0);
});
