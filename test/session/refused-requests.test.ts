import { expect, test } from "bun:test";
import { lateAnswersMax } from "#limits.ts";
import type { SingleMessage } from "#wire/message.ts";
import { RefusedRequests } from "#session/refused-requests.ts";

const result = (value: string | number) =>
  ({ kind: "result", id: { value }, result: {}, truncated: false }) as const;

const mayAnswer = (refused: RefusedRequests, message: SingleMessage): boolean =>
  refused.mayAnswer(message, { from: "server", hasPassed: false });

test("an answer to a refused request, also with its id as text, and a line that was not read", () => {
  const refused = new RefusedRequests();
  expect(mayAnswer(refused, result(7))).toBe(false);
  expect(mayAnswer(refused, { kind: "opaque", reason: "not-json" })).toBe(false);
  refused.add({ value: 7 });
  expect(refused.isEmpty).toBe(false);
  const answers = [result(7), result("7"), result(" 7.0 ")];
  expect(answers.map((answer) => mayAnswer(refused, answer))).toEqual([true, true, true]);
  expect(mayAnswer(refused, { kind: "opaque", reason: "not-json" })).toBe(true);
  expect(refused.mayAnswer(result(7), { from: "server", hasPassed: true })).toBe(false);
  expect(refused.mayAnswer(result(7), { from: "client", hasPassed: false })).toBe(false);
  const others = [result(8), result("x"), { kind: "opaque", reason: "blank" } as const];
  expect(others.map((answer) => mayAnswer(refused, answer))).toEqual([false, false, false]);
  const id = { value: 7 };
  const request = { kind: "request", id, method: "ping", params: {}, truncated: false } as const;
  expect(mayAnswer(refused, request)).toBe(false);
});

test("nothing is left once the refusals were sent, and the newest are kept", () => {
  const refused = new RefusedRequests();
  for (let value = 0; value <= lateAnswersMax; value += 1) refused.add({ value });
  expect(mayAnswer(refused, result(0))).toBe(false);
  expect(mayAnswer(refused, result(lateAnswersMax))).toBe(true);
  refused.sent();
  expect(refused.isEmpty).toBe(true);
  expect(mayAnswer(refused, result(1))).toBe(false);
});
