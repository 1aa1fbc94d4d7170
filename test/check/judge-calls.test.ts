import { expect, test } from "bun:test";
import { judgeCalls } from "#check/judge-calls.ts";
import type { MeterRecord } from "#records/record.ts";
import { plannedCall } from "../support/planned.ts";
import { plainAnswer } from "../support/checks.ts";
import { makeAnswerKey } from "#check/plan-calls.ts";

const planned = plannedCall();
const hash = (text: string): string => `#${text}`;

function attempt(requestId: number | null) {
  return { planned, round: 1, ...plainAnswer, requestId };
}

function record(id: number, tokens: number, method = "tools/call"): MeterRecord {
  return { type: "call", method, request_id: id, total_tokens: tokens } as MeterRecord;
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
