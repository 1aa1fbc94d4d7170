import { expect, test } from "bun:test";
import { requestEvents } from "#importers/vs-code/request-events.ts";
import { noRequest } from "#importers/vs-code/request-facts.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { ...noRequest, requestId: "r", timestamp: 5, modelId: "copilot/gpt-5.4" };

test("a request with tokens has its model without the vendor", () => {
  expect(requestEvents({ ...facts, promptTokens: 3 }, {}, "s", tools)).toMatchObject([
    { kind: "request", at: 5, model: "gpt-5.4", keys: { message: "s/r" }, merge: "last" },
  ]);
});

test("a request without tokens or without an id has no event", () => {
  expect(requestEvents(facts, {}, "s", tools)).toEqual([]);
  expect(requestEvents({ ...facts, requestId: null, promptTokens: 3 }, {}, "s", tools)).toEqual([]);
  expect(requestEvents({ ...facts, promptTokens: 3 }, 4, "s", tools)).toEqual([]);
});
