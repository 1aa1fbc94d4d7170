import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { inputProvided, inputRequired } from "#wire/task.ts";

describe("multi-round trips", () => {
  test("readInputRequest reads what the server asks for", () => {
    const result = { resultType: "input_required", requestState: "s", inputRequests: { a: {} } };
    expect(inputRequired(result)).toEqual({ requestState: "s", entries: { a: {} } });
    expect(inputRequired({ resultType: "complete" })).toBeUndefined();
  });

  test("readInputResponse reads what the client answers, either of both", () => {
    expect(inputProvided({ requestState: "s" })).toEqual({
      requestState: "s",
      entries: undefined,
    });
    expect(inputProvided({ inputResponses: {} })).toEqual({
      requestState: undefined,
      entries: {},
    });
    expect(inputProvided({ name: "search" })).toBeUndefined();
  });
});

test("nothing throws, whatever the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => void [inputRequired(value), inputProvided(value)]),
  );
});
