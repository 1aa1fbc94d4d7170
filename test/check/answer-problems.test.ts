import { expect, test } from "bun:test";
import { findAnswerProblems } from "#commands/check/command.ts";
import { plannedCall } from "../support/planned-call.ts";
import { makeAnswerKey } from "#check/plan-calls.ts";

const hash = (text: string): string => `#${text}`;
const call = plannedCall({ name: "one", arguments: { a: 1 } });
const changed = plannedCall({ name: "changed", arguments: { a: 2 }, line: 5 });
const makeAnswer = (planned: typeof call) => ({
  key: makeAnswerKey(planned, hash),
  tool: "t",
  tokens: 1_234,
});

test("findAnswerProblems: calls and recorded answers that match have none", () => {
  expect(findAnswerProblems([call, call], [makeAnswer(call)], hash)).toEqual([]);
});

test("findAnswerProblems warns of the answer that a call has left, and of the call", () => {
  expect(findAnswerProblems([changed], [makeAnswer(call)], hash)).toEqual([
    {
      level: "warning",
      rule: "answer_unused",
      about: "t",
      text: "the lock has an answer of 1,234 tokens from this tool, but the call is not in the calls file; record the answers again with --update",
      line: null,
      place: "answers",
    },
    {
      level: "warning",
      rule: "answer_missing",
      about: "changed",
      text: "the lock has no answer to this call, so the growth of the answer is not checked; record the answer with --update",
      line: 5,
      place: "answers",
    },
  ]);
});

test("findAnswerProblems: a skipped call keeps its answer, and needs none", () => {
  const skipped = { ...call, skip: "slow" };
  const changedSkipped = { ...changed, skip: "slow" };
  expect(findAnswerProblems([skipped, changedSkipped], [makeAnswer(call)], hash)).toEqual([]);
});

test("findAnswerProblems: nothing without recorded answers, and nothing without calls", () => {
  expect(findAnswerProblems([call], [], hash)).toEqual([]);
  expect(findAnswerProblems([], [makeAnswer(call)], hash)).toEqual([]);
});
