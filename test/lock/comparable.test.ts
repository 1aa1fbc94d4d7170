import { expect, test } from "bun:test";
import { UserError } from "#errors.ts";
import { refuseEmptyList, refuseOtherEstimator } from "#lock/comparable.ts";
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
