import { expect, test } from "bun:test";
import { answerWorstCase } from "#lock/answer-worst-case.ts";

const thresholds = [1_000, 4_000, 8_000] as const;

test("a declared size is the worst case, and has its source", () => {
  const definition = { name: "read", _meta: { "anthropic/maxResultSizeChars": 35_000 } };
  expect(answerWorstCase(definition, thresholds)).toEqual({
    tokens: 10_000,
    basis: "declared",
    is_assumed: false,
    tier: "critical",
    source: "anthropic/maxResultSizeChars",
    base_tokens: null,
    items: null,
  });
});

test("without any limit it is an assumption", () => {
  expect(answerWorstCase({ name: "read" }, thresholds)).toMatchObject({
    basis: "unbounded",
    is_assumed: true,
    source: null,
    items: null,
  });
});

test("a list of items without a size is bounded, but assumed", () => {
  const limit = { type: "integer", maximum: 20 };
  const definition = { name: "list", inputSchema: { type: "object", properties: { limit } } };
  expect(answerWorstCase(definition, thresholds)).toMatchObject({
    basis: "bounded",
    is_assumed: true,
    items: 20,
  });
});
