import { expect, test } from "bun:test";
import { playedCall } from "../support/checks.ts";
import { plannedCall } from "../support/planned-call.ts";
import { makeAnswerKey } from "#check/plan-calls.ts";
import { collectAnswers } from "#check/judge-calls.ts";

const hash = (text: string): string => `#${text}`;

test("collectAnswers keeps the most expensive round of each call, in any order of arguments", () => {
  const [first, same] = [
    plannedCall({ arguments: { a: 1, b: 2 } }),
    plannedCall({ arguments: { b: 2, a: 1 } }),
  ];
  const played = [5, 9, 7].map((tokens) => playedCall(tokens, { tool: "t" }));
  const answers = collectAnswers([first, first, same], played, [], hash);
  expect(answers).toEqual([{ key: makeAnswerKey(first, hash), tool: "t", tokens: 9 }]);
});

test("collectAnswers sorts by key", () => {
  const plan = [plannedCall({ tool: "b" }), plannedCall({ tool: "a" })];
  const played = [playedCall(5, { tool: "b" }), playedCall(6, { tool: "a" })];
  const answers = collectAnswers(plan, played, [], hash);
  expect(answers.map(({ tool, tokens }) => [tool, tokens])).toEqual([
    ["a", 6],
    ["b", 5],
  ]);
});

test("collectAnswers keeps the answer of a skipped call, and records none for a new one", () => {
  const [known, unknown] = [
    plannedCall({ skip: "slow" }),
    plannedCall({ tool: "u", skip: "slow" }),
  ];
  const locked = [{ key: makeAnswerKey(known, hash), tool: "t", tokens: 40 }];
  const played = [playedCall(0, { skip: "slow" }), playedCall(0, { skip: "slow" })];
  expect(collectAnswers([known, unknown], played, locked, hash)).toEqual(locked);
});
