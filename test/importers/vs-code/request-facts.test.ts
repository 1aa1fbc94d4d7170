import { expect, test } from "bun:test";
import { noRequest, withMembers } from "#importers/vs-code/request-facts.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };

test("members complete the facts, and the result names the model that answered", () => {
  const first = withMembers(noRequest, { requestId: "r", timestamp: 5, modelId: "a/b" }, tools);
  expect(first).toEqual({ ...noRequest, requestId: "r", timestamp: 5, modelId: "a/b" });
  const metadata = { promptTokens: 4, outputTokens: 2, resolvedModel: "c" };
  expect(withMembers(first, { result: { metadata } }, tools)).toEqual({
    requestId: "r",
    timestamp: 5,
    modelId: "c",
    promptTokens: 4,
    completionTokens: 2,
  });
});

test("odd members change nothing", () => {
  for (const odd of [null, 4, [], { promptTokens: "9", timestamp: "soon", result: 4 }]) {
    expect(withMembers(noRequest, odd, tools)).toEqual(noRequest);
  }
});
