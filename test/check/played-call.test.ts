import { expect, test } from "bun:test";
import { judgeCall, type CallEvidence } from "#check/judge-calls.ts";
import type { CallRecord } from "#records/record.ts";
import { plannedCall } from "../support/planned-call.ts";
import { plainAnswer } from "../support/checks.ts";
import type { GrowthAllowance } from "#lock/lock-limits.ts";

const planned = plannedCall();
const record = {
  total_tokens: 100,
  input_tokens: 1,
  output_tokens: 99,
  outcome: "ok",
  duration_ms: 2,
};
const made: CallEvidence = {
  planned,
  round: 1,
  ...plainAnswer,
  record: record as CallRecord,
  lockedAnswer: undefined,
};
const recorded = (tokens: number) => ({ lockedAnswer: { key: "", tool: "t", tokens } });
const unmet = [{ rule: "contains", pointer: null, expected: "a", found: "b" }] as const;
const unknown = { rule: "unknown_tool", text: "unknown tool" } as const;
const malformed = { rule: "malformed_answer", text: "it has no content" } as const;
const tenth: GrowthAllowance = { share: 0.1 };

test.each([
  ["nothing asked", {}, tenth, []],
  ["a budget that fits", { planned: { ...planned, budgetTokens: 100 } }, tenth, []],
  ["a budget one short", { planned: { ...planned, budgetTokens: 99 } }, tenth, ["over_budget"]],
  ["an error nobody expects", { isError: true, error: "no" }, tenth, ["unexpected_error"]],
  ["an expected error", { isError: true, planned: { ...planned, isError: true } }, tenth, []],
  [
    "an expected error that does not come",
    { planned: { ...planned, isError: true } },
    tenth,
    ["error_missing"],
  ],
  ["growth within a share", recorded(91), tenth, []],
  ["growth beyond a share", recorded(90), tenth, ["grew"]],
  ["growth within tokens", recorded(95), { tokens: 5 }, []],
  ["growth beyond tokens", recorded(94), { tokens: 5 }, ["grew"]],
  ["no answer", { isError: true, isAnswered: false }, tenth, ["no_answer"]],
  [
    "no answer where an error is expected",
    { isError: true, isAnswered: false, planned: { ...planned, isError: true } },
    tenth,
    ["no_answer"],
  ],
  ["an unknown tool", { isError: true, fault: unknown }, tenth, ["unknown_tool"]],
  [
    "an unknown tool where an error is expected",
    { isError: true, fault: unknown, planned: { ...planned, isError: true } },
    tenth,
    ["unknown_tool"],
  ],
  [
    "an unknown tool that is not answered",
    { isError: true, isAnswered: false, fault: unknown },
    tenth,
    ["unknown_tool"],
  ],
  ["a malformed answer", { fault: malformed }, tenth, ["malformed_answer"]],
  [
    "a malformed answer that is not the expected one either",
    { fault: malformed, unmet },
    tenth,
    ["malformed_answer", "unexpected_answer"],
  ],
  ["an unexpected answer", { unmet }, tenth, ["unexpected_answer"]],
  ["an unexpected error and its answer", { isError: true, unmet }, tenth, ["unexpected_error"]],
  [
    "a tool that is not listed, where an error is expected",
    {
      failure: "unlisted_tool",
      isAnswered: false,
      record: undefined,
      planned: { ...planned, isError: true, budgetTokens: 1 },
    },
    tenth,
    ["unlisted_tool"],
  ],
  [
    "a server that failed",
    { failure: "server_failed", isAnswered: false, record: undefined },
    tenth,
    ["server_failed"],
  ],
  ["no record", { record: undefined }, tenth, ["not_metered"]],
] as const)("judgeCall with %s", (_, changes, growth, problems) => {
  expect(judgeCall({ ...made, ...changes }, growth).problems).toEqual([...problems]);
});

test("judgeCall carries the numbers it judged by", () => {
  const judged = judgeCall({ ...made, ...recorded(90) }, tenth);
  expect(judged).toMatchObject({
    tokens: 100,
    recorded_tokens: 90,
    allowed_tokens: 99,
    limit: null,
  });
});

test("judgeCall of a skipped call has the reason and no problems", () => {
  const skipped = { ...made, planned: plannedCall({ skip: "flaky\u202e" }), record: undefined };
  const judged = judgeCall({ ...skipped, isAnswered: false, ...recorded(90) }, tenth);
  expect(judged).toMatchObject({ outcome: "skipped", skipped: "flaky\\u202e", problems: [] });
});
