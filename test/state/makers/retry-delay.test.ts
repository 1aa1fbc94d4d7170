import { expect, test } from "bun:test";
import {
  exactWaitMaxMs,
  isTemporaryFailure,
  computeRetryDelay,
} from "#state/makers/exact-counts.ts";

test.each([
  [200, false],
  [400, false],
  [404, false],
  [429, true],
  [500, true],
  [529, true],
  [600, false],
])("status %p is temporary: %p", (status, isIt) => {
  expect(isTemporaryFailure(status)).toBe(isIt);
});

const now = Date.parse("2026-11-22T12:00:00Z");

test.each<[header: string | null, attempt: number, delay: number | undefined]>([
  ["2", 0, 2000],
  ["0", 3, 0],
  [" 1.5 ", 0, 1500],
  ["Sun, 22 Nov 2026 12:00:09 GMT", 0, 9000],
  ["Sun, 22 Nov 2026 11:00:00 GMT", 1, 2000],
  [String(exactWaitMaxMs / 1000), 0, exactWaitMaxMs],
  [String(exactWaitMaxMs / 1000 + 1), 0, undefined],
  ["9".repeat(400), 0, undefined],
  ["-5", 0, 1000],
  ["soon", 0, 1000],
  [null, 0, 1000],
  [null, 2, 4000],
  [null, 20, undefined],
])("Retry-After %j at attempt %p waits %p ms", (header, attempt, delay) => {
  expect(computeRetryDelay(header, attempt, now)).toBe(delay);
});
