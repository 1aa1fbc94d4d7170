import { expect, test } from "bun:test";
import { keepAnswers } from "#lock/recorded-answers.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

test("keepAnswers keeps recorded answers in the tokens of the same estimator", () => {
  const fresh = lockWith([lockedTool()], { estimator: "claude" });
  const answers = [{ key: "0".repeat(64), tool: "t", tokens: 1 }];
  const old = { ...fresh, answers };
  expect(keepAnswers(fresh, old)).toEqual(old);
  expect(keepAnswers(lockWith([]), old).answers).toBeUndefined();
  expect(keepAnswers(fresh, undefined)).toBe(fresh);
});
