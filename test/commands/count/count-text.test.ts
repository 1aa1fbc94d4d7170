import { expect, test } from "bun:test";
import { countText } from "#commands/count/count-text.ts";
import { resolveEstimator } from "#estimators/resolve.ts";
import { tiktoken } from "../../estimators/support/counters.ts";

const tools = [{ name: "ping", description: "Pong", inputSchema: { type: "object" } }];
const claude = resolveEstimator({ tokenizer: "claude" }, tiktoken);
const o200k = resolveEstimator({ tokenizer: "o200k" }, tiktoken);

test("countText prices a list of tools by the formula of the estimator that has one", () => {
  const text = JSON.stringify({ tools });
  const { tokens, isDefinitions } = countText(text, claude);
  expect(isDefinitions).toBe(true);
  expect(tokens).toBeGreaterThan(290);
  expect(countText(text, o200k)).toEqual({
    tokens: o200k.estimator.count(text),
    isDefinitions: false,
  });
});

test("countText counts any other text as text", () => {
  expect(countText("hello", claude)).toEqual({
    tokens: claude.estimator.count("hello"),
    isDefinitions: false,
  });
});
