import { expect, test } from "bun:test";
import {
  describeBudget,
  describeCallProblem,
  describeDrift,
  describeExcess,
} from "#check/describe-problems.ts";
import { createDrift } from "#lock/drift/severity-rules.ts";
import { playedCall } from "../support/checks.ts";

const call = {
  ...playedCall(90, { budgetTokens: 50 }),
  recorded_tokens: 70,
  allowed_tokens: 80,
  error: "no",
  fault: "it has no content",
};

test.each([
  ["over_budget", "it takes 90 tokens; its budget is 50"],
  ["grew", "it takes 90 tokens; the lock recorded 70 and allows 80"],
  ["unexpected_error", 'it failed with "no", but should succeed'],
  ["error_missing", "it succeeded, but should fail"],
  ["unlisted_tool", "no"],
  ["server_failed", "no"],
  ["unknown_tool", "it failed: it has no content"],
  ["malformed_answer", "clients reject its answer: it has no content"],
  ["not_metered", "the meter did not record it"],
] as const)("describeCallProblem: %s", (problem, text) => {
  expect(describeCallProblem(problem, call)).toBe(text);
});

test.each([
  ["contains", null, "a", "b", 'the answer does not contain "a"; it is "b"'],
  ["matches", null, "^a", null, 'the answer does not match "^a"; it has no text'],
  ["equals", "/n", "1", "2", "/n is 2; expected 1"],
  ["equals", "/n", "1", null, "/n is missing; expected 1"],
  ["equals", "", "1", "2", "the answer is 2; expected 1"],
  ["equals", "", "1", null, "the answer is not JSON; expected 1"],
] as const)("describeCallProblem: an answer that %s %s", (rule, pointer, expected, found, text) => {
  const unmet = [{ rule, pointer, expected, found }];
  expect(describeCallProblem("unexpected_answer", { ...call, unmet })).toBe(text);
});

test("describeCallProblem: a call without an answer", () => {
  const silent = { ...call, error: "no answer within 5 s" };
  expect(describeCallProblem("no_answer", silent)).toBe("it failed: no answer within 5 s");
});

test.each([
  ["risk_rose", "risk rose", "low", "high", "risk rose (low → high)"],
  ["annotations_changed", "annotations changed", null, null, "annotations changed"],
  ["input_removed", "parameter q removed", "required", null, "parameter q removed (was required)"],
  ["tool_added", "new tool", null, "50 tokens", "new tool (50 tokens)"],
] as const)("describeDrift: %s", (kind, what, before, after, text) => {
  const drift = createDrift(kind, "t", { what, before, after });
  expect(describeDrift(drift)).toBe(`${drift.severity}: ${text}`);
});

test("describeExcess states tokens and limit", () => {
  expect(describeExcess({ limit: "max_total", tool: null, tokens: 9, allowed: 3 })).toBe(
    "the definitions take 9 tokens; the limit is 3",
  );
});

test("describeBudget states the spent amount by period", () => {
  const verdict = { budget: "5", tool: null, limit: 5, unit: "tokens", spent: 9 } as const;
  const judged = { is_breached: true, is_enforced: true };
  expect(describeBudget({ ...verdict, per: "call", ...judged })).toBe(
    "budget 5: the most expensive call takes 9 tokens; the limit is 5",
  );
  expect(describeBudget({ ...verdict, per: "session", ...judged })).toBe(
    "budget 5: all calls together take 9 tokens; the limit is 5",
  );
});
