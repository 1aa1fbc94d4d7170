import { describe, expect, test } from "bun:test";
import { type CountChoice, countText } from "#commands/count/command.ts";
import { type EstimatorId, estimatorIds } from "#tokens/estimators/ids.ts";
import { type EstimatorChoice, resolveEstimator } from "#tokens/estimators/resolve.ts";
import { tiktoken } from "../../tokens/estimators/support/counters.ts";

const tools = [{ name: "ping", description: "Pong", inputSchema: { type: "object" } }];
const list = JSON.stringify({ tools });

function counting(choice: EstimatorChoice): CountChoice {
  const isNamedAlone = choice.tokenizer !== "auto" && choice.model === undefined;
  return { ...resolveEstimator(choice, tiktoken), isNamedAlone };
}

const definitions: { readonly [id in EstimatorId]: number } = {
  // ping, Pong, {"type":"object"}
  o200k: 1 + 2 + 5,
  cl100k: 1 + 2 + 5,
  gemini: 1 + 2 + 5,
  // {"name":"ping" is 5 tokens, ,"description":"Pong" 6 with 2 in the description, ,"inputSchema":{"type":"object"}} 8.
  claude: 290 + Math.round(1.86 * 5) + Math.round(1.86 * 4 + 1.6 * 2) + Math.round(1.86 * 8),
  "claude-legacy": 497 + Math.round(1.18 * 5) + Math.round(1.18 * 6) + Math.round(1.18 * 8),
  chars4: 1 + 1 + 5,
  "chars3.5": 2 + 2 + 5,
  chars3: 2 + 2 + 6,
  words: 1 + 1 + 5,
};

describe("countText prices a list of tools as definitions", () => {
  test.each(estimatorIds)("for a model, under %s", (tokenizer) => {
    expect(countText(list, counting({ tokenizer, model: "gpt-5" }))).toEqual({
      tokens: definitions[tokenizer],
      countedAs: "definitions",
    });
  });

  test("without any choice, and by an estimator that has a formula for them", () => {
    for (const [tokenizer, id] of [
      ["auto", "o200k"],
      ["claude", "claude"],
      ["claude-legacy", "claude-legacy"],
    ] as const) {
      expect(countText(list, counting({ tokenizer }))).toEqual({
        tokens: definitions[id],
        countedAs: "definitions",
      });
    }
  });
});

test("countText counts the text of a list for a vocabulary or a ratio that is named alone", () => {
  for (const tokenizer of ["o200k", "cl100k", "gemini", "chars4", "words"] as const) {
    const choice = counting({ tokenizer });
    const tokens = choice.estimator.count(list);
    expect(countText(list, choice)).toEqual({ tokens, countedAs: "list-as-text" });
  }
});

test("countText counts any other text as text", () => {
  for (const tokenizer of ["auto", "claude"] as const) {
    const choice = counting({ tokenizer });
    const tokens = choice.estimator.count("hello");
    expect(countText("hello", choice)).toEqual({ tokens, countedAs: "text" });
  }
});
