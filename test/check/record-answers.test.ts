import { expect, test } from "bun:test";
import { answerKey, type PlannedCall } from "#check/planned-call.ts";
import { recordAnswers } from "#check/record-answers.ts";
import { playedCall } from "../support/checks.ts";

const hash = (text: string): string => `#${text}`;

function planned(tool: string, args: PlannedCall["arguments"], repeat = 1): PlannedCall {
  return { name: tool, tool, arguments: args, isError: false, budgetTokens: undefined, repeat };
}

test("recordAnswers keeps the most expensive round of each call, in any order of arguments", () => {
  const plan = [planned("t", { a: 1, b: 2 }, 2), planned("t", { b: 2, a: 1 })];
  const answers = recordAnswers(plan, [playedCall(5), playedCall(9), playedCall(7)], hash);
  const key = answerKey(planned("t", { a: 1, b: 2 }), hash);
  expect(answers).toEqual([{ key, tool: "t", tokens: 9 }]);
});

test("recordAnswers sorts by key", () => {
  const plan = [planned("b", {}), planned("a", {})];
  const answers = recordAnswers(plan, [playedCall(5), playedCall(6)], hash);
  expect(answers.map(({ tool, tokens }) => [tool, tokens])).toEqual([
    ["a", 6],
    ["b", 5],
  ]);
});
