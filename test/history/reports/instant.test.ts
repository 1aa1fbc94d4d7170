import { expect, test } from "bun:test";
import { InstantReader } from "#history/reports/calendar.ts";

test.each([
  "2026-11-22T12:45:56.789Z",
  "2026-11-22T00:00:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "2024-02-29T23:59:59.001Z",
  "2026-11-22T12:45:56Z",
  "2026-11-22T12:45:56.7+02:00",
])("reads %s as Date does", (text) => {
  const reader = new InstantReader();
  expect(reader.read(text)).toBe(Date.parse(text));
  expect(reader.read(text)).toBe(Date.parse(text));
});

test("times within an hour are read as Date reads them, and so are other times between them", () => {
  const reader = new InstantReader();
  const texts = [
    "2026-11-22T12:00:00.000Z",
    "2026-11-22T12:59:59.999Z",
    "2026-11-22T12:45:56Z",
    "2026-11-22T12:45:56.7+02:00",
    "2026-11-22T12:00:00.001Z",
    "2026-11-22T13:00:00.001Z",
    "2026-11-21T12:00:00.001Z",
  ];
  expect(texts.map((text) => reader.read(text))).toEqual(texts.map((text) => Date.parse(text)));
  const wrong = [
    "2026-11-22T12:60:00.000Z",
    "2026-11-22T12:5a:00.000Z",
    "2026-11-22T12:00:00:000Z",
  ];
  reader.read("2026-11-22T12:00:00.000Z");
  expect(wrong.map((text) => reader.read(text))).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test.each(["", "now", "2026-11-22", "2026-11-22T12:45:56.789", "2026-11-22T25:00:00.000Z", "0"])(
  "%s is not a moment of any machine",
  (text) => {
    expect(new InstantReader().read(text)).toBeNaN();
  },
);

test("times whose local day may lack a four-digit year in some zone are not read", () => {
  const reader = new InstantReader();
  for (const text of ["0001-01-02T00:00:00.000Z", "9999-12-30T23:59:59.999Z"]) {
    expect(reader.read(text)).toBe(Date.parse(text));
  }
  for (const text of [
    "0000-01-01T00:00:00.000Z",
    "0001-01-01T23:59:59.999Z",
    "9999-12-31T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ]) {
    expect(reader.read(text)).toBeNaN();
    expect(reader.read(text)).toBeNaN();
  }
});
