import { describe, expect, test } from "bun:test";
import {
  projectionDaysMax,
  projectionDaysMin,
  projectMonth,
  sumTokensByDay,
} from "#history/reports/projection.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { callRecord } from "../../support/made-records.ts";
import { usageFacts } from "../../support/usage-facts.ts";

test("fewer than seven days project nothing", () => {
  const days = Array.from({ length: projectionDaysMin }, () => 100);
  expect(projectMonth(days.slice(1))).toBeUndefined();
  expect(projectMonth([])).toBeUndefined();
});

test("a month is projected where three days have records, not where two have", () => {
  expect(projectMonth([9, 9, 9, 0, 0, 0, 0])?.days).toBe(7);
  expect(projectMonth([9, 9, 0, 0, 0, 0, 0])).toBeUndefined();
  expect(projectMonth(Array.from({ length: 90 }, (_, at) => (at === 0 ? 110 : 0)))).toBeUndefined();
});

test("equal days have no spread: thirty times a day", () => {
  const days = Array.from({ length: 7 }, () => 100);
  expect(projectMonth(days)).toEqual({ days: 7, tokens: 3_000, low: 3_000, high: 3_000 });
});

test("weekends without calls: the mean of all days, and a spread that is never below 0", () => {
  // Mean 500/7; variance (5 × (100 − 500/7)² + 2 × (500/7)²) / 6 = 2,380.95.
  const projected = projectMonth([100, 100, 100, 100, 100, 0, 0]);
  expect(projected).toMatchObject({ days: 7, tokens: 2_143 });
  // 1.645 × √(2,380.95 × (30 + 900/7)) = 1,011.
  expect([projected?.low, projected?.high]).toEqual([1_132, 3_154]);
  expect(projectMonth([7_000, 1, 1, 0, 0, 0, 0])?.low).toBe(0);
});

test("more days of the same kind make the spread smaller", () => {
  const week = [90, 110, 95, 105, 100, 20, 10];
  const measureSpread = (weeks: number): number => {
    const { low = 0, high = 0 } =
      projectMonth(Array.from({ length: weeks }, () => week).flat()) ?? {};
    return high - low;
  };
  expect(measureSpread(4)).toBeLessThan(measureSpread(1));
});

test("property: about nine of ten months are inside", () => {
  let state = 42;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  let inside = 0;
  const rounds = 2_000;
  for (let round = 0; round < rounds; round += 1) {
    const day = (): number => 1_000 + random() * 2_000;
    const projected = projectMonth(Array.from({ length: 21 }, day));
    let month = 0;
    for (let left = 30; left > 0; left -= 1) month += day();
    if (projected && month >= projected.low && month <= projected.high) inside += 1;
  }
  expect(inside / rounds).toBeGreaterThan(0.86);
  expect(inside / rounds).toBeLessThan(0.94);
});

describe("tokensByDay", () => {
  const zone = new TimeZone("Europe/Berlin");
  const dayMs = 86_400_000;
  // 22 November 2026 as a local day.
  const today = zone.findDay(Date.UTC(2026, 10, 22, 12));
  const all = { fromMs: -Infinity, toMs: Infinity };
  const daysAgo = (days: number, tokens: number) =>
    callRecord({
      ts: new Date(Date.UTC(2026, 10, 22, 12) - days * dayMs).toISOString(),
      seq: days,
      input_tokens: 0,
      output_tokens: tokens,
    });
  const facts = usageFacts([daysAgo(0, 9), daysAgo(1, 1), daysAgo(4, 4)], zone);

  const startOf = (days: number): number => zone.findDayStart(today - days);
  const within = (fromMs: number, toMs: number): number[] =>
    sumTokensByDay(facts, { range: { fromMs, toMs }, zone, today });

  test("from the first day with records to yesterday, days without records as 0", () => {
    expect(sumTokensByDay(facts, { range: all, zone, today })).toEqual([4, 0, 0, 1]);
  });

  test("only whole days of the period", () => {
    expect(within(startOf(4), startOf(1))).toEqual([4, 0, 0]);
    expect(within(startOf(4) + 1, startOf(1) - 1)).toEqual([0]);
    expect(within(startOf(9), Infinity)).toEqual([4, 0, 0, 1]);
  });

  test("nothing without a whole day, and at most the newest ninety", () => {
    expect(sumTokensByDay([], { range: all, zone, today })).toEqual([]);
    expect(sumTokensByDay(usageFacts([daysAgo(0, 9)], zone), { range: all, zone, today })).toEqual(
      [],
    );
    const old = usageFacts([daysAgo(projectionDaysMax + 5, 7), daysAgo(1, 1)], zone);
    const days = sumTokensByDay(old, { range: all, zone, today });
    expect([days.length, days[0], days.at(-1)]).toEqual([projectionDaysMax, 0, 1]);
  });
});
