import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readInputResponse, readInputRequest } from "#wire/pair-answers.ts";

describe("multi-round trips", () => {
  test("readInputRequest reads what the server asks for", () => {
    const result = { resultType: "input_required", requestState: "s", inputRequests: { a: {} } };
    expect(readInputRequest(result)).toEqual({ requestState: "s", entries: { a: {} } });
    expect(readInputRequest({ resultType: "complete" })).toBeUndefined();
  });

  test("readInputResponse reads what the client answers, either of both", () => {
    expect(readInputResponse({ requestState: "s" })).toEqual({
      requestState: "s",
      entries: undefined,
    });
    expect(readInputResponse({ inputResponses: {} })).toEqual({
      requestState: undefined,
      entries: {},
    });
    expect(readInputResponse({ name: "search" })).toBeUndefined();
  });
});

test("nothing throws, whatever the value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      (value) => void [readInputRequest(value), readInputResponse(value)],
    ),
  );
});
