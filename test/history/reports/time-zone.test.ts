import { describe, expect, test } from "bun:test";
import { zoneDaysMax, TimeZone, dayMs, formatDay } from "#history/reports/calendar.ts";
import { MadeNumbers } from "../../support/made-usage.ts";

const day = (zone: string, instant: string): string =>
  formatDay(new TimeZone(zone).findDay(Date.parse(instant)));

describe("TimeZone", () => {
  test.each([
    ["UTC", "2026-11-22T23:59:59.999Z", "2026-11-22"],
    ["Europe/Berlin", "2026-11-22T22:59:59.999Z", "2026-11-22"],
    ["Europe/Berlin", "2026-11-22T23:00:00.000Z", "2026-11-23"],
    // Summer time until 2026-10-25T01:00Z.
    ["Europe/Berlin", "2026-10-24T21:59:59.999Z", "2026-10-24"],
    ["Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25"],
    ["Europe/Berlin", "2026-10-25T22:59:59.999Z", "2026-10-25"],
    ["Europe/Berlin", "2026-10-25T23:00:00.000Z", "2026-10-26"],
    // Summer time from 2026-03-08T07:00Z.
    ["America/New_York", "2026-03-08T04:59:59.999Z", "2026-03-07"],
    ["America/New_York", "2026-03-09T03:59:59.999Z", "2026-03-08"],
    ["America/New_York", "2026-03-09T04:00:00.000Z", "2026-03-09"],
    ["Asia/Kolkata", "2026-11-21T18:30:00.000Z", "2026-11-22"],
    ["Pacific/Kiritimati", "2026-11-22T10:00:00.000Z", "2026-11-23"],
    // Samoa skipped 30 December 2011.
    ["Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29"],
    ["Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-31"],
  ])("in %s %s is a part of %s", (zone, instant, expected) => {
    expect(day(zone, instant)).toBe(expected);
  });

  test.each([
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Tehran",
    "Pacific/Apia",
  ])("in %s a day is that of Intl, and begins with its first moment", (name) => {
    const zone = new TimeZone(name);
    const date = new Intl.DateTimeFormat("sv-SE", { timeZone: name });
    const numbers = new MadeNumbers(7);
    for (let round = 0; round < 2_000; round += 1) {
      const ms = Date.UTC(2005) + numbers.below(20 * 365) * dayMs + numbers.below(dayMs);
      expect(formatDay(zone.findDay(ms))).toBe(date.format(ms));
      const start = zone.findDayStart(zone.findDay(ms));
      expect([
        zone.findDay(start),
        zone.findDay(start - 1) < zone.findDay(start),
        start <= ms,
      ]).toEqual([zone.findDay(ms), true, true]);
    }
  });

  test("writes a local minute", () => {
    const zone = new TimeZone("Europe/Berlin");
    expect(zone.formatMinute(Date.UTC(2026, 6, 1, 12, 5))).toBe("2026-07-01 14:05");
  });

  test(`remembers the offsets of ${zoneDaysMax} days, and computes others all the same`, () => {
    const zone = new TimeZone("UTC");
    for (let at = 0; at <= zoneDaysMax + 1; at += 1) expect(zone.findDay(at * dayMs)).toBe(at);
    expect(zone.findDay(0)).toBe(0);
  });

  test("rejects an unknown zone", () => {
    expect(() => new TimeZone("Europe/Atlantis")).toThrow(RangeError);
  });
});
