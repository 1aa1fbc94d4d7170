import { expect, test } from "bun:test";
import { judgeBudget, judgeCalls } from "#check/judge-calls.ts";
import type { MeterRecord } from "#records/record.ts";
import { plannedCall } from "../support/planned-call.ts";
import { budgetOf, madeCallPrices, plainAnswer } from "../support/checks.ts";
import { makeAnswerKey } from "#check/plan-calls.ts";

const planned = plannedCall();
const hash = (text: string): string => `#${text}`;

function attempt(requestId: number | null) {
  return { planned, round: 1, ...plainAnswer, requestId };
}

function record(id: number, tokens: number, method = "tools/call"): MeterRecord {
  const input_tokens = 10;
  return {
    type: "call",
    method,
    request_id: id,
    input_tokens,
    total_tokens: tokens,
  } as MeterRecord;
}

test("judgeCalls finds the record of each call by its id, and reports a missing one", () => {
  const records = [record(8, 80), record(7, 70), record(9, 90, "prompts/get")];
  const attempts = [attempt(7), attempt(8), attempt(9), attempt(null)];
  const judged = judgeCalls(attempts, { records, answers: [], growth: { share: 0 }, hash });
  expect(judged.map(({ tokens, problems }) => [tokens, ...problems])).toEqual([
    [70],
    [80],
    [0, "not_metered"],
    [0, "not_metered"],
  ]);
});

test("judgeCalls has nothing else to say of a call that was not made", () => {
  const unmade = { ...attempt(null), isAnswered: false, failure: "unlisted_tool" } as const;
  const terms = { records: [], answers: [], growth: { share: 0 }, hash };
  expect(judgeCalls([unmade], terms)).toMatchObject([{ problems: ["unlisted_tool"] }]);
});

test("judgeCalls compares each call with its recorded answer", () => {
  const answers = [{ key: makeAnswerKey(planned, hash), tool: "t", tokens: 60 }];
  const terms = { records: [record(7, 70)], answers, growth: { tokens: 9 }, hash };
  expect(judgeCalls([attempt(7)], terms)).toMatchObject([
    { recorded_tokens: 60, allowed_tokens: 69, problems: ["grew"] },
  ]);
});

test("judgeBudget forbids a tool in any case, as a session does", () => {
  const attempts = [{ ...attempt(7), planned: plannedCall({ tool: "Delete_all" }) }];
  const terms = { records: [record(7, 70)], answers: [], growth: { share: 0 }, hash };
  const calls = judgeCalls(attempts, terms);
  expect(judgeBudget(budgetOf({ tool: "delete_*", limit: 0 }), calls)).toMatchObject([
    { tool: "Delete_all", is_breached: true },
  ]);
  expect(judgeBudget(budgetOf({ tool: "delete_*", limit: 1 }), calls)).toEqual([]);
});

const paid = plannedCall({ tool: "paid" });

// 10 tokens of arguments at $20 and the rest at $10 a million; a call of "paid" is $0.005.
test.each([
  ["each call", { limit: 1_199_999 }, [[null, 0.001199999, 0.0058, true]]],
  ["a session", { per: "session", limit: 9_000_000 }, [[null, 0.009, 0.0073, false]]],
  [
    "a tool",
    { tool: "*", limit: 5_000_000, per: "session" },
    [
      ["t", 0.005, 0.0015, false],
      ["paid", 0.005, 0.0058, true],
    ],
  ],
] as const)("judgeBudget in money: %s", (_, changes, verdicts) => {
  const terms = { answers: [], growth: { share: 0 }, hash, prices: madeCallPrices };
  const attempts = [
    attempt(7),
    attempt(8),
    { ...attempt(9), planned: paid },
    { ...attempt(null), planned: paid, failure: "unlisted_tool" } as const,
  ];
  const records = [record(7, 80), record(8, 50), record(9, 70)];
  const calls = judgeCalls(attempts, { ...terms, records });
  expect(calls.map((call) => call.cost_usd)).toEqual([0.0009, 0.0006, 0.0058, 0]);
  const budget = budgetOf({ spec: "$", unit: "dollars", ...changes });
  expect(
    judgeBudget(budget, calls, madeCallPrices).map(({ tool, limit, spent, is_breached }) => [
      tool,
      limit,
      spent,
      is_breached,
    ]),
  ).toEqual(verdicts.map((verdict) => [...verdict]));
});
