import { expect, test } from "bun:test";
import {
  addUsage,
  isNoUsage,
  joinUsage,
  largestUsage,
  noUsage,
  tokensFrom,
  usageBeyond,
} from "#imports/logged-usage.ts";

const one = {
  uncached: 1,
  cacheRead: 2,
  cacheWrite5m: 3,
  cacheWrite1h: 4,
  output: 5,
  reasoning: 6,
};
const other = {
  uncached: 6,
  cacheRead: 5,
  cacheWrite5m: 4,
  cacheWrite1h: 3,
  output: 2,
  reasoning: 1,
};

test("usages are joined component by component", () => {
  expect(Object.values(addUsage(one, other))).toEqual([7, 7, 7, 7, 7, 7]);
  expect(Object.values(largestUsage(one, other))).toEqual([6, 5, 4, 4, 5, 6]);
  expect(Object.values(usageBeyond(one, other))).toEqual([0, 0, 0, 1, 3, 5]);
  expect(joinUsage(one, other, (a) => a)).toEqual(one);
});

test("isNoUsage knows nothing from something", () => {
  expect(isNoUsage(noUsage)).toBe(true);
  expect(isNoUsage({ ...noUsage, reasoning: 1 })).toBe(false);
});

test("tokensFrom reads whole numbers that are not negative, and 0 from anything else", () => {
  expect(tokensFrom(12)).toBe(12);
  for (const value of [null, undefined, -1, 1.5, "12", Infinity, 2 ** 60, {}]) {
    expect(tokensFrom(value)).toBe(0);
  }
});
