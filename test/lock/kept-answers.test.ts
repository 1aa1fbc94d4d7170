import { expect, test } from "bun:test";
import { countDroppedAnswers, keepAnswers } from "#lock/lock.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

test("keepAnswers keeps recorded answers in the tokens of the same estimator", () => {
  const fresh = lockWith([lockedTool()], { estimator: "claude" });
  const answers = [{ key: "0".repeat(64), tool: "t", tokens: 1 }];
  const old = { ...fresh, answers };
  expect(keepAnswers(fresh, old)).toEqual(old);
  expect(keepAnswers(lockWith([]), old).answers).toBeUndefined();
  expect(keepAnswers(fresh, undefined)).toBe(fresh);
});

test("countDroppedAnswers counts answers whose call the next lock does not have", () => {
  const answers = ["a", "b", "c"].map((key) => ({ key, tool: "t", tokens: 1 }));
  expect(countDroppedAnswers({ answers }, { answers: answers.slice(0, 1) })).toBe(2);
  expect(countDroppedAnswers({ answers }, {})).toBe(3);
  expect(countDroppedAnswers({ answers }, { answers })).toBe(0);
  expect([countDroppedAnswers(undefined, { answers }), countDroppedAnswers({}, {})]).toEqual([
    0, 0,
  ]);
});
