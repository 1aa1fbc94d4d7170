import { describe, expect, test } from "bun:test";
import { requestEvent } from "#importers/claude-code/request-event.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 1, conversation: "one", isSideChain: false };
const usageOf = (usage: unknown) =>
  requestEvent({ message: { id: "m", model: "opus", usage } }, facts, tools)?.usage;

describe("usage", () => {
  test("has both kinds of cache writes where the log has them", () => {
    const parts = { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 5 };
    expect(
      usageOf({
        input_tokens: 1,
        cache_read_input_tokens: 9,
        cache_creation_input_tokens: 7,
        cache_creation: parts,
        output_tokens: 4,
        output_tokens_details: { thinking_tokens: 3 },
      }),
    ).toEqual({
      uncached: 1,
      cacheRead: 9,
      cacheWrite5m: 2,
      cacheWrite1h: 5,
      output: 4,
      reasoning: 3,
    });
  });

  test("counts writes without their kind as five minutes", () => {
    expect(usageOf({ cache_creation_input_tokens: 7 })).toMatchObject({
      cacheWrite5m: 7,
      cacheWrite1h: 0,
    });
  });
});

test("answers of the client itself, failures of the API and lines without usage are no requests", () => {
  const usage = { output_tokens: 1 };
  const lines = [
    { message: { model: "<synthetic>", usage } },
    { message: { model: "opus", usage }, isApiErrorMessage: true },
    { message: { model: "opus", usage: null } },
    {},
  ];
  for (const line of lines) expect(requestEvent(line, facts, tools)).toBeUndefined();
});
