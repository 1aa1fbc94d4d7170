import { describe, expect, test } from "bun:test";
import { TimeZone } from "#history/reports/calendar.ts";
import {
  isRangeBound,
  findLastDays,
  findRangeBefore,
  parseRange,
} from "#history/reports/time-range.ts";

const zone = new TimeZone("Europe/Berlin");
const nowMs = Date.parse("2026-11-22T12:00:00.000Z");

const texts = ({ fromMs, toMs }: { fromMs: number; toMs: number }): string[] =>
  [fromMs, toMs].map((ms) => (Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms)));

const between = (since?: string, until?: string): string[] =>
  texts(parseRange({ since, until }, zone, nowMs));

describe("parseRange", () => {
  test("takes whole local days, both ends included, also of 25 hours", () => {
    expect(between("2026-10-25", "20261025")).toEqual([
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
  });

  test("takes hours and minutes back from now, the last local days with today, and open ends", () => {
    expect(between("24h", "30m")).toEqual(["2026-11-21T12:00:00.000Z", "2026-11-22T11:30:00.000Z"]);
    expect(between("7d")).toEqual(["2026-11-15T23:00:00.000Z", "Infinity"]);
    expect(between("1d")).toEqual(["2026-11-21T23:00:00.000Z", "Infinity"]);
    expect(between("2w", "1w")).toEqual(["2026-11-08T23:00:00.000Z", "2026-11-15T23:00:00.000Z"]);
    expect(between()).toEqual(["-Infinity", "Infinity"]);
    expect(between("999999w")[0]).toBe("0000-01-01T00:00:00.000Z");
  });
});

test("findLastDays ends now and begins with a local day", () => {
  expect(texts(findLastDays(7, zone, nowMs))).toEqual([
    "2026-11-15T23:00:00.000Z",
    "2026-11-22T12:00:00.001Z",
  ]);
});

const before = (since: string, until?: string): string[] => {
  const range = findRangeBefore(parseRange({ since, until }, zone, nowMs), zone, nowMs);
  return range ? texts(range) : [];
};

describe("findRangeBefore", () => {
  test("is the same number of days earlier at the same times, across the end of summer time", () => {
    expect(before("2026-10-25", "2026-10-26")).toEqual([
      "2026-10-22T22:00:00.000Z",
      "2026-10-24T22:00:00.000Z",
    ]);
    expect(before("2026-11-16")).toEqual(["2026-11-08T23:00:00.000Z", "2026-11-15T12:00:00.001Z"]);
  });

  test("has the same length if the range begins within a day", () => {
    expect(before("24h")).toEqual(["2026-11-20T11:59:59.999Z", "2026-11-21T12:00:00.000Z"]);
  });

  test("is undefined before a range without a beginning", () => {
    expect(
      findRangeBefore(parseRange({ since: undefined, until: undefined }, zone, nowMs), zone, nowMs),
    ).toBeUndefined();
  });
});

test("isRangeBound accepts only dates and ages", () => {
  expect(["2026-11-01", "20261101", "24h", "7d", "90m", "4w"].every(isRangeBound)).toBe(true);
  expect(["yesterday", "7", "d", "-7d", "7D", "1y", "2026-02-30", ""].some(isRangeBound)).toBe(
    false,
  );
});
