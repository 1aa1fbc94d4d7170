import { formatCompact, formatInteger, formatSmallShare } from "#kit/text/numbers.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { describe, expect, test } from "bun:test";
import {
  formatDay,
  formatDifference,
  formatRound,
  splitName,
  shortenName,
  formatTokens,
  formatPixels,
} from "#screens/dash/page/format.ts";

describe("compact", () => {
  const rows: readonly (readonly [count: number, text: string])[] = [
    [0, "0"],
    [987, "987"],
    [1_234, "1,234"],
    [9_999, "9,999"],
    [10_000, "10k"],
    [18_449, "18.4k"],
    [184_220, "184k"],
    [999_499, "999k"],
    [999_600, "1M"],
    [1_234_567, "1.23M"],
    [45_600_000_000, "45.6G"],
    [-18_449, "−18.4k"],
  ];
  for (const [count, text] of rows) {
    test(String(count), () => {
      expect(formatCompact(count)).toBe(text);
    });
  }
});

test("days are named, and round numbers short", () => {
  expect(["2026-11-16", "2026-11-16 09:30", "2026-03-01", "14:00"].map(formatDay)).toEqual([
    "Mon 16 Nov",
    "Mon 16 Nov, 09:30",
    "Sun 1 Mar",
    "14:00",
  ]);
  expect([0, 500, 1_000, 2_500, 2e6].map(formatRound)).toEqual(["0", "500", "1k", "2.5k", "2M"]);
});

test("tokens wear a tilde when they are estimated, and 0 never does", () => {
  expect(formatTokens(18_449, true)).toBe("~18,449");
  expect(formatTokens(18_449, true, true)).toBe("~18.4k");
  expect(formatTokens(18_449, false)).toBe("18,449");
  expect(formatTokens(0, true)).toBe("0");
});

test("negative numbers have a minus", () => {
  expect(formatInteger(-1_234)).toBe("−1,234");
});

test("shares and changes", () => {
  expect([0, 0.0001, 0.062, 0.5, 1].map(formatSmallShare)).toEqual([
    "0.0%",
    "<0.1%",
    "6.2%",
    "50%",
    "100%",
  ]);
});

test("a difference has its sign", () => {
  expect([1_200, 0, -1_200].map(formatDifference)).toEqual(["+1,200", "0", "−1,200"]);
});

test("names show the characters that would hide or turn others", () => {
  expect(escapeUnsafe("evil\u202etxt.exe\u0007")).toBe("evil\\u202etxt.exe\\u0007");
  expect(escapeUnsafe("<b>")).toBe("<b>");
});

test("a long name has an end that fits; its parts are the whole name, up to a bound", () => {
  expect(splitName("abcdefghij", 10)).toEqual(["abcdefghij", ""]);
  expect(splitName("abcdefghijklm", 7)).toEqual(["abcdefghij", "klm"]);
  expect(splitName("x".repeat(10_000), 20).join("")).toHaveLength(512);
});

test("a long name is shortened in the middle, by whole characters", () => {
  expect(shortenName("abcdefghij", 10)).toBe("abcdefghij");
  expect(shortenName("abcdefghijk", 10)).toBe("abcde…hijk");
  expect(shortenName("😀".repeat(9), 5)).toBe("😀😀…😀😀");
});

test("coordinates have a tenth of a pixel", () => {
  expect([1, 1.25, 2.04].map(formatPixels)).toEqual(["1", "1.3", "2"]);
});
