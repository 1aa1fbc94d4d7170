import { boundAnswerTokens, countAnswerTokens } from "#meter/budgets/answer-decision.ts";
import { countRequestTokens, exactCountCharactersMax } from "#meter/budgets/request-decision.ts";
import { describe, expect, test } from "bun:test";
import { makeAnswerContext, pickCeiling, describeToolResult } from "#tokens/cost/visibility.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { noRequestFacts } from "../../support/readings.ts";
import { callOf } from "../../support/made-calls.ts";

const reader = plainReader(undefined);

const asked = (text: string, truncated = false) =>
  callOf({ name: "echo", arguments: { text } }, { truncated, size: 900 });

const answer = (result: object) => ({
  result,
  ceiling: pickCeiling(describeToolResult(result, makeAnswerContext(reader, noRequestFacts))),
  isUpperBound: false,
  bytes: 1_000,
  hasPassed: false,
});
const text = (characters: number) => ({ type: "text", text: "x".repeat(characters) });
const picture = { type: "image", data: "", mimeType: "image/png" };

describe("countRequestTokens", () => {
  test("of what is short is exact, of what is long only that it is too much", () => {
    expect(countRequestTokens(asked("x".repeat(300)), 5, reader)).toEqual({
      tokens: 2 + Math.ceil(311 / 3),
      precision: "exactly",
    });
    const long = countRequestTokens(asked("x".repeat(exactCountCharactersMax)), 5, reader);
    expect(long.precision).toBe("at least");
    expect(long.tokens).toBeGreaterThan(5);
    expect(
      countRequestTokens(asked("x".repeat(exactCountCharactersMax)), 1e9, reader),
    ).toMatchObject({
      precision: "exactly",
    });
  });

  test("of what was not read is the most that its bytes allow", () => {
    expect(countRequestTokens(asked("", true), 5, reader)).toEqual({
      tokens: 1_800,
      precision: "at most",
    });
  });
});

describe("an answer", () => {
  test("cannot cost more than the bytes of its texts and its media, whatever the length of its line", () => {
    const bound = boundAnswerTokens(answer({ content: [text(30)] }), reader);
    expect(bound).toBe(30);
    const grown = { ...answer({ structuredContent: { a: [1e20, 1e20] } }), bytes: 10 };
    expect(boundAnswerTokens(grown, reader)).toBe(Buffer.byteLength('{"a":[,]}') + 2 * 21);
    expect(boundAnswerTokens(answer({ content: [text(30), picture] }), reader)).toBeGreaterThan(
      bound,
    );
  });

  test("is counted exactly when it is short, else as far as the limit", () => {
    expect(countAnswerTokens(answer({ content: [text(30), text(4)] }), 5, reader)).toEqual({
      tokens: 12,
      precision: "exactly",
    });
    const long = countAnswerTokens(
      answer({ content: [text(exactCountCharactersMax + 1)] }),
      5,
      reader,
    );
    expect(long.precision).toBe("at least");
    // Of an answer that the model may read more or less of, no number is the least.
    const most = { ...answer({ content: [text(30)] }), isUpperBound: true };
    expect(countAnswerTokens(most, 5, reader)).toEqual({ tokens: 10, precision: "at most" });
    const longMost = {
      ...answer({ content: [text(exactCountCharactersMax + 1)] }),
      isUpperBound: true,
    };
    expect(countAnswerTokens(longMost, 5, reader)).toEqual({
      tokens: exactCountCharactersMax + 1,
      precision: "at most",
    });
    const unread = { ...answer({}), ceiling: undefined };
    expect(countAnswerTokens(unread, 5, reader)).toEqual({ tokens: 2_000, precision: "at most" });
  });
});
