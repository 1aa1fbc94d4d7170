import { describe, expect, test } from "bun:test";
import { exactCountCharacters } from "#limits.ts";
import { Call } from "#meter/call.ts";
import { answerBound, answerPrice, requestPrice } from "#meter/call-price.ts";
import { askedOf } from "#meter/parts.ts";
import { plainReader } from "../support/plain-reader.ts";

const reader = plainReader("client");
const text = (length: number) => ({ kind: "text", text: "x".repeat(length) }) as const;

/** A call of a tool with one text as argument. */
function callOf(argument: string, truncated = false): Call {
  const request = { id: { value: 1 }, method: "tools/call", truncated };
  const asked = askedOf("tools/call", { name: "t", arguments: { argument } });
  return new Call("client", request, asked, 400, 0);
}

describe("requestPrice", () => {
  test("of what is short is exact, however low the limit", () => {
    const price = requestPrice(callOf("x".repeat(90)), 1, reader);
    expect(price.sureness).toBe("exactly");
    expect(price.tokens).toBeGreaterThan(20);
  });

  test("of what could not be read is the most that its bytes allow", () => {
    const price = requestPrice(callOf("", true), 1, reader);
    expect(price.sureness).toBe("at most");
    expect(price.tokens).toBeGreaterThanOrEqual(400);
  });
});

describe("answerPrice", () => {
  test("is never more than the bound of its bytes", () => {
    for (const length of [0, 1, 99, 5_000]) {
      const answer = { result: {}, visible: [text(length)], bytes: length + 60, hasPassed: false };
      const { tokens } = answerPrice(answer, 10, reader);
      expect(tokens).toBeLessThanOrEqual(answerBound(answer, reader));
    }
  });

  test("of an answer that was not read is the bound", () => {
    const answer = { result: undefined, visible: undefined, bytes: 1_000, hasPassed: false };
    expect(answerPrice(answer, 10, reader)).toEqual({
      tokens: answerBound(answer, reader),
      sureness: "at most",
    });
  });

  test("of a long answer says no less than that it is too much", () => {
    const length = exactCountCharacters + 1;
    const answer = { result: {}, visible: [text(length)], bytes: length, hasPassed: false };
    expect(answerPrice(answer, 10, reader).tokens).toBeGreaterThan(10);
  });
});
