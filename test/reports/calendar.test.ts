import { expect, test } from "bun:test";
import { dayMs, dayText, monthText, parseDay, weekOf } from "#reports/calendar.ts";

const dayOf = (text: string): number => Date.parse(text) / dayMs;

test("a day is written as its date, its month and its Monday", () => {
  expect(dayText(0)).toBe("1970-01-01");
  expect(dayText(dayOf("2026-11-22"))).toBe("2026-11-22");
  expect(monthText(dayOf("2026-11-22"))).toBe("2026-11");
  const mondays = ["2026-11-16", "2026-11-22", "2026-11-23", "1969-12-31", "2027-01-01"].map(
    (text) => dayText(weekOf(dayOf(text))),
  );
  expect(mondays).toEqual(["2026-11-16", "2026-11-16", "2026-11-23", "1969-12-29", "2026-12-28"]);
});

test.each([
  ["2026-11-01", "2026-11-01"],
  ["20261101", "2026-11-01"],
  ["2024-02-29", "2024-02-29"],
])("parseDay reads %s", (text, day) => {
  expect(parseDay(text)).toBe(dayOf(day));
});

test.each(["2026-02-29", "2026-13-01", "2026-1101", "202611-01", "2026-11-1", "today", "", "7d"])(
  "parseDay refuses %s",
  (text) => {
    expect(parseDay(text)).toBeUndefined();
  },
);
