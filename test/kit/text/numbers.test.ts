import { expect, test } from "bun:test";
import {
  formatChange,
  formatBytes,
  formatCount,
  formatSignificant,
  formatShare,
  pluralize,
} from "#kit/text/numbers.ts";
import { formatInSeconds, formatElapsed, formatTimeLeft } from "#kit/text/durations.ts";

test.each([
  [0, "0"],
  [7, "7"],
  [999, "999"],
  [1_000, "1,000"],
  [18_220, "18,220"],
  [1_234_567, "1,234,567"],
  [999.6, "1,000"],
])("formatCount of %d is %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test.each([
  [0, "0.0%"],
  [0.0004, "0.0%"],
  [0.0994, "9.9%"],
  [0.0999, "10%"],
  [0.1, "10%"],
  [0.123, "12%"],
  [1, "100%"],
  [12, "1,200%"],
])("formatShare of %d is %s", (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test.each([
  [0, "0.0"],
  [0.04, "0.0"],
  [9.94, "9.9"],
  [9.96, "10"],
  [12.4, "12"],
  [12_345, "12,345"],
])("formatSignificant of %d is %s", (ms, text) => {
  expect(formatSignificant(ms)).toBe(text);
});

test.each([
  [0, "0 ms"],
  [1.26, "1.3 ms"],
  [840, "840 ms"],
  [2_400, "2.4 s"],
  [999.6, "1 s"],
  [59_400, "59 s"],
  [59_600, "1 min"],
  [200_000, "3 min 20 s"],
  [180_000, "3 min"],
  [7_500_000, "2 h 5 min"],
  [3 * 86_400_000 + 4 * 3_600_000, "3 d 4 h"],
])("formatElapsed of %d is %s", (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});

test.each([
  [-1, "0 s"],
  [1, "1 s"],
  [61_000, "1 min 1 s"],
  [3_599_001, "1 h"],
  [11 * 3_600_000 + 30 * 60_000 + 1, "11 h 31 min"],
  [86_400_000, "1 d"],
  [86_400_001, "1 d 1 h"],
])("formatTimeLeft of %d is %s", (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});

test.each([
  [1, "tool", "1 tool"],
  [0, "tool", "0 tools"],
  [1_200, "tool", "1,200 tools"],
  [2, "breach", "2 breaches"],
])("pluralize of %d and %s is %s", (count, noun, text) => {
  expect(pluralize(count, noun)).toBe(text);
});

test.each([
  [51, "51 ms"],
  [250, "250 ms"],
  [4_213, "4.21 s"],
  [120_000, "120 s"],
  [1_234_567, "1,235 s"],
])("formatInSeconds of %d is %s", (ms, text) => {
  expect(formatInSeconds(ms)).toBe(text);
});

test("formatBytes uses the largest decimal unit", () => {
  const rows = [
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [15_400_000, "15 MB"],
    [1_500_000_000, "1.5 GB"],
    [2e15, "2,000 TB"],
  ] as const;
  for (const [bytes, text] of rows) expect(formatBytes(bytes)).toBe(text);
});

test("formatChange has an arrow, and a factor where a percentage would not be read", () => {
  expect([0.12, 2.69, 9.99, 10, 108.17, -0.034, 0.0001].map(formatChange)).toEqual([
    "↑ 12%",
    "↑ 269%",
    "↑ 999%",
    "↑ 11 ×",
    "↑ 109 ×",
    "↓ 3.4%",
    "=",
  ]);
});
