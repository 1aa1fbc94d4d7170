import { expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import {
  refuseEmptyList,
  refuseOtherEstimator,
  refuseOtherThresholds,
  refuseUnmeasuredGrowth,
} from "#lock/lock-report.ts";
import { thrownBy } from "../support/folder.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

const locked = lockWith([lockedTool()], { estimator: "claude" });

test("refuseOtherEstimator refuses tokens that cannot be compared", () => {
  expect(() => refuseOtherEstimator("f", locked, lockWith([]))).toThrow("--tokenizer claude");
  expect(() => refuseOtherEstimator("f", undefined, lockWith([]))).not.toThrow();
  expect(() => refuseOtherEstimator("f", locked, locked)).not.toThrow();
});

test("refuseOtherThresholds refuses a lock whose thresholds are not those of the run", () => {
  const now = lockWith([]);
  const otherThresholds = lockWith([], { risk_thresholds: [1, 2, 3] });
  expect(thrownBy(() => refuseOtherThresholds("f", otherThresholds, now))).toBe(
    'Cannot compare with the lock "f": its risk thresholds are 1,2,3, but this run uses 1000,4000,8000; pass --risk 1,2,3, or rewrite the lock',
  );
  expect(() => refuseOtherThresholds("f", now, now)).not.toThrow();
  expect(() => refuseOtherThresholds("f", undefined, now)).not.toThrow();
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

test("refuseUnmeasuredGrowth: a limit of growth needs a lock, of the base where one is named", () => {
  const limits = { maxIncrease: { share: 0.05 } };
  const lock = lockWith([]);
  const base = { name: "main", lock: undefined };
  const nothing = "(nothing was thrown)";
  expect(refuse("a.lock", undefined, { limits })).toStartWith("Cannot check --max-increase");
  expect(refuse("a.lock", undefined, { limits, base: { ...base, lock } })).toBe(nothing);
  expect(refuse("a.lock", lock, { limits })).toBe(nothing);
  expect(refuse("a.lock", undefined, { limits: {} })).toBe(nothing);
  expect(refuse("a.lock", undefined, { limits: {}, base })).toBe(nothing);
  for (const earlier of [undefined, lock]) {
    expect(refuse("a.lock", earlier, { limits, base })).toBe(
      'Cannot check --max-increase: "main" has no lock "a.lock"; if the lock was moved, pass the earlier one as --base FILE, or omit --max-increase in the check that adds the first lock',
    );
  }
});
