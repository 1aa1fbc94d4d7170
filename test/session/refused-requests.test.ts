import { expect, test } from "bun:test";
import { lateAnswersMax } from "#limits.ts";
import { RefusedRequests } from "#session/refused-requests.ts";

const result = (value: string | number) =>
  ({ kind: "result", id: { value }, result: {}, truncated: false }) as const;

test("an answer to a refused request, also with its id as text, and a line that was not read", () => {
  const refused = new RefusedRequests();
  expect(refused.mayAnswer(result(7))).toBe(false);
  expect(refused.mayAnswer({ kind: "opaque", reason: "not-json" })).toBe(false);
  refused.add({ value: 7 });
  expect(refused.isEmpty).toBe(false);
  const answers = [result(7), result("7"), result(" 7.0 ")];
  expect(answers.map((answer) => refused.mayAnswer(answer))).toEqual([true, true, true]);
  expect(refused.mayAnswer({ kind: "opaque", reason: "not-json" })).toBe(true);
  const others = [result(8), result("x"), { kind: "opaque", reason: "blank" } as const];
  expect(others.map((answer) => refused.mayAnswer(answer))).toEqual([false, false, false]);
  const id = { value: 7 };
  const request = { kind: "request", id, method: "ping", params: {}, truncated: false } as const;
  expect(refused.mayAnswer(request)).toBe(false);
});

test("nothing is left once the refusals were sent, and the newest are kept", () => {
  const refused = new RefusedRequests();
  for (let value = 0; value <= lateAnswersMax; value += 1) refused.add({ value });
  expect(refused.mayAnswer(result(0))).toBe(false);
  expect(refused.mayAnswer(result(lateAnswersMax))).toBe(true);
  refused.sent();
  expect(refused.isEmpty).toBe(true);
  expect(refused.mayAnswer(result(1))).toBe(false);
});
