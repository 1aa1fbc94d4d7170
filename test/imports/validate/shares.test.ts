import { expect, test } from "bun:test";
import { conversationTurns } from "#imports/turns/conversation-turns.ts";
import { addShares, answerShares, noShares } from "#imports/validate/shares.ts";
import { callAt, requestAt, steadyConversation } from "../support/facts.ts";
import { noUsage } from "#imports/logged-usage.ts";

const prompt = (at: number, uncached: number) =>
  requestAt(at, { usage: { ...noUsage, uncached, output: 100 } });

test("an answer of 400 tokens in three prompts", () => {
  const [conversation] = conversationTurns({
    requests: [prompt(0, 1_000), prompt(10, 1_600), prompt(20, 1_700)],
    calls: [callAt(0, 5, { tokens: 400, argumentTokens: 30 })],
    boundaries: [],
    entries: [],
  });
  if (!conversation) throw new Error("one conversation");
  expect(answerShares(conversation)).toEqual({
    enteredByAnswers: 400,
    // 1,000 at first, then 500 besides the output, then none.
    entered: 1_500,
    // The answer twice, the arguments in both prompts after the one that wrote them.
    carriedByCalls: 860,
    input: 4_300,
    rereads: 1,
    answers: 1,
  });
});

test("answers never exceed what entered, however wrong the estimates are", () => {
  const sources = steadyConversation(
    20,
    () => 90_000,
    () => 100,
  );
  const [conversation] = conversationTurns(sources);
  if (!conversation) throw new Error("one conversation");
  const { enteredByAnswers, entered, carriedByCalls, input } = answerShares(conversation);
  expect(enteredByAnswers).toBe(20 * 100);
  expect(enteredByAnswers).toBeLessThan(entered);
  expect(carriedByCalls).toBeLessThan(input);
});

test("shares add up", () => {
  const one = {
    enteredByAnswers: 1,
    entered: 2,
    carriedByCalls: 3,
    input: 4,
    rereads: 5,
    answers: 6,
  };
  expect(addShares(one, one)).toEqual({
    enteredByAnswers: 2,
    entered: 4,
    carriedByCalls: 6,
    input: 8,
    rereads: 10,
    answers: 12,
  });
  expect(addShares(one, noShares)).toEqual(one);
});
