import { expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import {
  rejectEmptyList,
  rejectOtherEstimator,
  rejectOtherThresholds,
  rejectUnmeasuredGrowth,
} from "#lock/lock-report.ts";
import { thrownBy } from "../support/folder.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

const locked = lockWith([lockedTool()], { estimator: "claude" });

test("rejectOtherEstimator refuses tokens that cannot be compared", () => {
  expect(() => rejectOtherEstimator("f", locked, lockWith([]))).toThrow("--tokenizer claude");
  expect(() => rejectOtherEstimator("f", undefined, lockWith([]))).not.toThrow();
  expect(() => rejectOtherEstimator("f", locked, locked)).not.toThrow();
});

test("rejectOtherThresholds refuses a lock whose thresholds are not those of the run", () => {
  const now = lockWith([]);
  const otherThresholds = lockWith([], { risk_thresholds: [1, 2, 3] });
  expect(thrownBy(() => rejectOtherThresholds("f", otherThresholds, now))).toBe(
    'Cannot compare with the lock "f": its risk thresholds are 1,2,3, but this run uses 1000,4000,8000; pass --risk 1,2,3, or rewrite the lock',
  );
  expect(() => rejectOtherThresholds("f", now, now)).not.toThrow();
  expect(() => rejectOtherThresholds("f", undefined, now)).not.toThrow();
});

test("rejectEmptyList refuses an empty list where the lock has tools, with exit code 3", () => {
  expect(() => rejectEmptyList([], locked)).toThrow(UserError);
  let code: number | undefined;
  try {
    rejectEmptyList([], locked);
  } catch (error) {
    code = error instanceof UserError ? error.exitCode : undefined;
  }
  expect(code).toBe(3);
  expect(() => rejectEmptyList([{}], locked)).not.toThrow();
  expect(() => rejectEmptyList([], lockWith([]))).toThrow("The server lists no tools");
  expect(() => rejectEmptyList([], undefined)).toThrow("The server lists no tools");
});

const refuse = (...args: Parameters<typeof rejectUnmeasuredGrowth>): string =>
  thrownBy(() => rejectUnmeasuredGrowth(...args));

test("rejectUnmeasuredGrowth: a limit of growth needs a lock, of the base where one is named", () => {
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
      'Cannot check --max-increase: "main" has no lock "a.lock"; if the lock was moved, pass its earlier version with --base FILE; if this is the first lock, omit --max-increase',
    );
  }
});
