import { expect, test } from "bun:test";
import { refillAt, windowAt } from "#budgets/counter.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 8, 1, 12);

const begins = (per: "minute" | "hour" | "day", atMs: number): boolean =>
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
