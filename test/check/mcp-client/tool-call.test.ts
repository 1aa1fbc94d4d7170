import { expect, test } from "bun:test";
import { makeFailedOutcome, makeResultOutcome } from "#check/mcp-client/tool-call.ts";

const redact = (text: string): string => text.replaceAll("secret", "S");

test("makeResultOutcome tells whether the tool failed, and why", () => {
  const content = [{ type: "text", text: "a secret" }];
  const worked = { content };
  expect(makeResultOutcome(worked, redact)).toEqual({
    isError: false,
    errorCode: null,
    isAnswered: true,
    error: null,
    result: worked,
  });
  expect(makeResultOutcome({ content, isError: true }, redact)).toMatchObject({
    isError: true,
    error: "a S",
  });
});

test("makeFailedOutcome has no result; only an error of JSON-RPC is an answer", () => {
  expect(makeFailedOutcome("no", -32_602)).toMatchObject({ isAnswered: true, errorCode: -32_602 });
  expect(makeFailedOutcome("late", null)).toEqual({
    isError: true,
    errorCode: null,
    isAnswered: false,
    error: "late",
    result: undefined,
  });
});
