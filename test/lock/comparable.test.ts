import { expect, test } from "bun:test";
import { UserError } from "#errors.ts";
import { refuseEmptyList, refuseOtherEstimator, refuseUnmeasuredGrowth } from "#lock/comparable.ts";
import { thrownBy } from "../support/folder.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

const locked = lockWith([lockedTool()], { estimator: "claude" });

test("refuseOtherEstimator refuses tokens that cannot be compared", () => {
  expect(() => refuseOtherEstimator("f", locked, lockWith([]))).toThrow("--tokenizer claude");
  expect(() => refuseOtherEstimator("f", undefined, lockWith([]))).not.toThrow();
  expect(() => refuseOtherEstimator("f", locked, locked)).not.toThrow();
});

test("refuseEmptyList refuses an empty list where the lock has tools, with exit code 3", () => {
  expect(() => refuseEmptyList([], locked)).toThrow(UserError);
  let code: number | undefined;
  try {
    refuseEmptyList([], locked);
  } catch (error) {
    code = error instanceof UserError ? error.exitCode : undefined;
  }
  expect(code).toBe(3);
  expect(() => refuseEmptyList([{}], locked)).not.toThrow();
  expect(() => refuseEmptyList([], lockWith([]))).toThrow("The server lists no tools");
  expect(() => refuseEmptyList([], undefined)).toThrow("The server lists no tools");
});

const refuse = (...args: Parameters<typeof refuseUnmeasuredGrowth>): string =>
  thrownBy(() => refuseUnmeasuredGrowth(...args));

test("refuseUnmeasuredGrowth: a limit of growth needs a lock, or a base that has one", () => {
  const limits = { maxIncrease: { share: 0.05 } };
  const lock = lockWith([]);
  expect(refuse("a.lock", undefined, { limits })).toStartWith("Cannot measure --max-increase");
  const base = { name: "main", lock: undefined };
  expect(refuse("a.lock", undefined, { limits, base })).toStartWith("Cannot measure");
  const nothing = "(nothing was thrown)";
  expect(refuse("a.lock", lock, { limits, base })).toBe(nothing);
  expect(refuse("a.lock", undefined, { limits, base: { ...base, lock } })).toBe(nothing);
  expect(refuse("a.lock", undefined, { limits: {} })).toBe(nothing);
});
