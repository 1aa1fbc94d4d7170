import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Counter } from "#meter/budgets/counter.ts";
import { currentWindow, refillAt, windowAt } from "#meter/budgets/windows.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 8, 1, 12);

const begins = (per: Counter["per"], atMs: number): boolean =>
  windowAt(per, atMs) === windowAt(per, atMs - 1) + 1;

test("windowAt begins a window on the full minute, hour and UTC day", () => {
  expect([begins("minute", noon), begins("minute", noon + 1)]).toEqual([true, false]);
  expect([begins("hour", noon), begins("hour", noon + minute)]).toEqual([true, false]);
  expect([begins("day", noon), begins("day", noon + 12 * 60 * minute)]).toEqual([false, true]);
  expect(windowAt("session", noon)).toBe(windowAt("session", 0));
});

test("refillAt is the beginning of the next window, and never for a session", () => {
  expect([refillAt("minute", noon), refillAt("hour", noon + 1), refillAt("day", noon)]).toEqual([
    noon + minute,
    noon + 60 * minute,
    noon + 12 * 60 * minute,
  ]);
  expect(refillAt("session", noon)).toBe(Infinity);
});

test("a week begins on Monday, a month on its first day, in UTC", () => {
  const monday = Date.UTC(2027, 0, 4);
  expect(new Date(monday).getUTCDay()).toBe(1);
  expect([begins("week", monday), begins("week", monday - 86_400_000)]).toEqual([true, false]);
  const march = Date.UTC(2028, 2, 1);
  expect([begins("month", march), begins("month", march - 86_400_000)]).toEqual([true, false]);
  expect(refillAt("week", monday + 1)).toBe(monday + 7 * 86_400_000);
  expect(refillAt("month", Date.UTC(2027, 11, 31))).toBe(Date.UTC(2028, 0, 1));
});

const pers = ["minute", "hour", "day", "week", "month"] as const;
const times = fc.integer({ min: 0, max: Date.UTC(2100, 0) });

test("a window contains the time it was asked for, and the next one begins when it ends", () => {
  fc.assert(
    fc.property(fc.constantFrom(...pers), times, (per, nowMs) => {
      const refillMs = refillAt(per, nowMs);
      expect(refillMs).toBeGreaterThan(nowMs);
      expect(windowAt(per, refillMs)).toBe(windowAt(per, nowMs) + 1);
      expect(windowAt(per, refillMs - 1)).toBe(windowAt(per, nowMs));
    }),
  );
});

test("whatever a clock has begun, a counter is full again within two windows and an hour", () => {
  fc.assert(
    fc.property(fc.constantFrom(...pers), times, times, (per, wrongMs, nowMs) => {
      const first = currentWindow(per, windowAt(per, wrongMs), nowMs);
      // A window that is kept never makes a counter full by itself.
      expect(first.isKept).toBe(windowAt(per, wrongMs) >= windowAt(per, nowMs));
      const laterMs = refillAt(per, refillAt(per, nowMs + 3_600_000));
      expect(currentWindow(per, first.window, laterMs).isKept).toBe(false);
    }),
  );
});

test("a window that is a little ahead stays current, one that is far ahead is moved back", () => {
  const window = windowAt("minute", noon);
  for (const ahead of [0, 1, 61]) {
    expect(currentWindow("minute", window + ahead, noon).window).toBe(window + ahead);
  }
  expect(currentWindow("minute", window + 62, noon)).toEqual({ window, isKept: true });
  expect(currentWindow("minute", window - 1, noon)).toEqual({ window, isKept: false });
});
