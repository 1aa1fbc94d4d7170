import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Counter } from "#meter/budgets/counter.ts";
import { findCurrentWindow, computeRefill, computeWindow } from "#meter/budgets/windows.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 8, 1, 12);

const begins = (per: Counter["per"], atMs: number): boolean =>
  computeWindow(per, atMs) === computeWindow(per, atMs - 1) + 1;

test("computeWindow begins a window on the full minute, hour and UTC day", () => {
  expect([begins("minute", noon), begins("minute", noon + 1)]).toEqual([true, false]);
  expect([begins("hour", noon), begins("hour", noon + minute)]).toEqual([true, false]);
  expect([begins("day", noon), begins("day", noon + 12 * 60 * minute)]).toEqual([false, true]);
  expect(computeWindow("session", noon)).toBe(computeWindow("session", 0));
});

test("computeRefill is the beginning of the next window, and never for a session", () => {
  expect([
    computeRefill("minute", noon),
    computeRefill("hour", noon + 1),
    computeRefill("day", noon),
  ]).toEqual([noon + minute, noon + 60 * minute, noon + 12 * 60 * minute]);
  expect(computeRefill("session", noon)).toBe(Infinity);
});

test("a week begins on Monday, a month on its first day, in UTC", () => {
  const monday = Date.UTC(2027, 0, 4);
  expect(new Date(monday).getUTCDay()).toBe(1);
  expect([begins("week", monday), begins("week", monday - 86_400_000)]).toEqual([true, false]);
  const march = Date.UTC(2028, 2, 1);
  expect([begins("month", march), begins("month", march - 86_400_000)]).toEqual([true, false]);
  expect(computeRefill("week", monday + 1)).toBe(monday + 7 * 86_400_000);
  expect(computeRefill("month", Date.UTC(2027, 11, 31))).toBe(Date.UTC(2028, 0, 1));
});

const pers = ["minute", "hour", "day", "week", "month"] as const;
const times = fc.integer({ min: 0, max: Date.UTC(2100, 0) });

test("a window contains the time it was asked for, and the next one begins when it ends", () => {
  fc.assert(
    fc.property(fc.constantFrom(...pers), times, (per, nowMs) => {
      const refillMs = computeRefill(per, nowMs);
      expect(refillMs).toBeGreaterThan(nowMs);
      expect(computeWindow(per, refillMs)).toBe(computeWindow(per, nowMs) + 1);
      expect(computeWindow(per, refillMs - 1)).toBe(computeWindow(per, nowMs));
    }),
  );
});

test("whatever a clock has begun, a counter is full again within two windows and an hour", () => {
  fc.assert(
    fc.property(fc.constantFrom(...pers), times, times, (per, wrongMs, nowMs) => {
      const first = findCurrentWindow(per, computeWindow(per, wrongMs), nowMs);
      // A window that is kept never makes a counter full by itself.
      expect(first.keepsAmounts).toBe(computeWindow(per, wrongMs) >= computeWindow(per, nowMs));
      const laterMs = computeRefill(per, computeRefill(per, nowMs + 3_600_000));
      expect(findCurrentWindow(per, first.window, laterMs).keepsAmounts).toBe(false);
    }),
  );
});

test("a window that is a little ahead stays current, one that is far ahead is moved back", () => {
  const window = computeWindow("minute", noon);
  for (const ahead of [0, 1, 61]) {
    expect(findCurrentWindow("minute", window + ahead, noon).window).toBe(window + ahead);
  }
  expect(findCurrentWindow("minute", window + 62, noon)).toEqual({ window, keepsAmounts: true });
  expect(findCurrentWindow("minute", window - 1, noon)).toEqual({ window, keepsAmounts: false });
});
