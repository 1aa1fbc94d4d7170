import { expect, test } from "bun:test";
import { makeSums } from "#history/reports/usage-sums.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import {
  type DayTotal,
  summarizeRemoved,
  makeRemovedUsage,
  type TotalsPlan,
} from "#history/reports/removed-usage.ts";

const [utc, berlin, newYork] = ["UTC", "Europe/Berlin", "America/New_York"].map(
  (name) => new TimeZone(name),
) as [TimeZone, TimeZone, TimeZone];

const at = (text: string): number => Date.parse(`${text}Z`);

function total(day: string): DayTotal {
  return {
    day,
    server: "garden",
    method: "tools/call",
    tool: "search",
    client: null,
    model: null,
    estimation: null,
    sessions: 1,
    sums: { ...makeSums(), calls: 2 },
  };
}

const plan: TotalsPlan = {
  ranges: [{ fromMs: -Infinity, toMs: Infinity }],
  zone: utc,
  nowMs: at("2026-11-22T12:00"),
  needsRecords: false,
};

function placeDays(days: readonly string[], choices: Partial<TotalsPlan>, zone = utc) {
  const usage = makeRemovedUsage({ zone, totals: days.map(total) }, { ...plan, ...choices });
  const facts = usage.facts.map(({ day, range }) => [
    new Date(day * 86_400_000).toISOString().slice(0, 10),
    range,
  ]);
  return [facts, usage.daysLeftOut];
}

test("a day counts in the period that contains all of it", () => {
  const week = { fromMs: at("2026-11-08T00:00"), toMs: at("2026-11-10T00:00") };
  const before = { fromMs: at("2026-11-06T12:00"), toMs: at("2026-11-08T00:00") };
  const days = ["2026-11-05", "2026-11-06", "2026-11-07", "2026-11-08", "2026-11-09", "2026-11-10"];
  expect(placeDays(days, { ranges: [week, before] })).toEqual([
    [
      ["2026-11-07", 1],
      ["2026-11-08", 0],
      ["2026-11-09", 0],
    ],
    1,
  ]);
});

test("today ends now, so it fits a period that ends now", () => {
  const range = { fromMs: at("2026-11-22T00:00"), toMs: at("2026-11-22T12:00") + 1 };
  expect(placeDays(["2026-11-22"], { ranges: [range] })).toEqual([[["2026-11-22", 0]], 0]);
  const earlier = { ...range, toMs: range.toMs - 1 };
  expect(placeDays(["2026-11-22"], { ranges: [earlier] })).toEqual([[], 1]);
});

test("a day of another zone counts on the local day that contains most of it, if a period contains all of it", () => {
  // New York's days begin at 05:00 UTC, or at 04:00 in summer.
  expect(placeDays(["2026-11-08"], { zone: berlin }, newYork)).toEqual([[["2026-11-08", 0]], 0]);
  const range = { fromMs: at("2026-11-08T05:00"), toMs: at("2026-11-09T05:00") };
  expect(placeDays(["2026-11-08"], { ranges: [range], zone: berlin }, newYork)[1]).toBe(0);
  const shorter = { ...range, fromMs: range.fromMs + 1 };
  expect(placeDays(["2026-11-08"], { ranges: [shorter], zone: berlin }, newYork)[1]).toBe(1);
});

test("days of 23 and 25 hours are whole", () => {
  for (const day of ["2026-10-25", "2026-03-29"]) {
    const number = at(`${day}T00:00`) / 86_400_000;
    const range = { fromMs: berlin.findDayStart(number), toMs: berlin.findDayStart(number + 1) };
    expect(placeDays([day], { ranges: [range], zone: berlin }, berlin)).toEqual([[[day, 0]], 0]);
  }
});

test("a report by session leaves the days of its period out, and counts them", () => {
  const range = { fromMs: at("2026-11-08T00:00"), toMs: Infinity };
  const days = ["2026-11-07", "2026-11-08", "2026-11-08"];
  expect(placeDays(days, { ranges: [range], needsRecords: true })).toEqual([[], 1]);
});

test("a day that is in no calendar is ignored", () => {
  expect(placeDays(["2026-02-30", "", "soon"], {})).toEqual([[], 0]);
});

test("a report states which part comes from totals", () => {
  const { facts } = makeRemovedUsage(
    { zone: utc, totals: ["2026-11-08", "2026-11-07"].map(total) },
    plan,
  );
  const summary = { first: "2026-11-07", last: "2026-11-08", sessions: 2, days_left_out: 0 };
  expect(summarizeRemoved(facts, 0)).toEqual(summary);
  expect(summarizeRemoved([], 3)).toEqual({
    first: null,
    last: null,
    sessions: 0,
    days_left_out: 3,
  });
  expect(summarizeRemoved([], 0)).toBeUndefined();
});
