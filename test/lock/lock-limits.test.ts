import { expect, test } from "bun:test";
import { changedTool, lockedTool, lockWith } from "../support/locks.ts";
import { computeAllowedTokens, findExceededLimits } from "#lock/lock-limits.ts";

const locked = lockWith([lockedTool()]);
const tokens = (total: number) => ({ ...lockedTool().tokens, total });
const now = (total: number) => lockWith([changedTool({ tokens: tokens(total) })]);

test.each([
  ["a share of growth", { maxIncrease: { share: 0.1 } }, "max_increase", null, 55],
  ["growth in tokens", { maxIncrease: { tokens: 3 } }, "max_increase", null, 53],
  ["all definitions", { maxTotalTokens: 60 }, "max_total", null, 60],
  ["one definition", { maxToolTokens: 60 }, "max_tool", lockedTool().name, 60],
] as const)("findExceededLimits: %s holds, and one past it", (_, limits, limit, tool, allowed) => {
  expect(findExceededLimits(locked, now(allowed), limits)).toEqual([]);
  expect(findExceededLimits(locked, now(allowed + 1), limits)).toEqual([
    { limit, tool, tokens: allowed + 1, allowed },
  ]);
});

test("findExceededLimits: growth needs a lock, and no limit allows everything", () => {
  expect(findExceededLimits(undefined, now(9_999), { maxIncrease: { tokens: 0 } })).toEqual([]);
  expect(findExceededLimits(locked, now(9_999), {})).toEqual([]);
});

test("findExceededLimits: the limit of a tool replaces the one for all", () => {
  const limits = { maxToolTokens: 10, maxTokensByTool: new Map([[lockedTool().name, 60]]) };
  expect(findExceededLimits(locked, now(60), limits)).toEqual([]);
  expect(findExceededLimits(locked, now(61), limits)).toMatchObject([
    { limit: "max_tool", allowed: 60 },
  ]);
});

test("computeAllowedTokens: a share is exact", () => {
  expect(computeAllowedTokens(100, { share: 0.29 })).toBe(129);
  expect(computeAllowedTokens(99, { share: 0.29 })).toBe(127);
});
