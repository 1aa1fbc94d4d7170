import { expect, test } from "bun:test";
import { problemOf } from "#check/problems.ts";
import { playedCall } from "../support/checks.ts";

const call = {
  ...playedCall(90, { budgetTokens: 50 }),
  recorded_tokens: 70,
  allowed_tokens: 80,
  error: "no",
};

test.each([
  ["over_budget", "it takes 90 tokens, its budget is 50"],
  ["grew", "it takes 90 tokens, the lock recorded 70 and 80 are allowed"],
  ["unexpected_error", 'it failed with "no", it must succeed'],
  ["error_missing", "it succeeded, it must fail"],
  ["not_metered", "the meter has no record of it"],
] as const)("problemOf %s", (rule, text) => {
  expect(problemOf(rule, call)).toBe(text);
});
