import { expect, test } from "bun:test";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import {
  createEstimator,
  resolveEstimator,
  type EstimatorChoice,
} from "#tokens/estimators/index.ts";
import { forbidden, unitsOnly } from "./support/counters.ts";

const cases: readonly [what: string, reader: EstimatorChoice, expected: string][] = [
  ["nothing known", { tokenizer: "auto" }, "o200k medium gpt-5.5"],
  ["an OpenAI model", { tokenizer: "auto", model: "gpt-4o" }, "o200k high gpt-4o"],
  ["an older OpenAI model", { tokenizer: "auto", model: "gpt-4" }, "cl100k high gpt-4"],
  ["a Claude model", { tokenizer: "auto", model: "claude-opus-5" }, "claude medium claude-5"],
  [
    "an older Claude model",
    { tokenizer: "auto", model: "claude-sonnet-4-5" },
    "claude-legacy medium claude-4.6",
  ],
  ["a Gemini model", { tokenizer: "auto", model: "gemini-2.5-pro" }, "gemini low gemini-2"],
  ["a model nobody knows", { tokenizer: "auto", model: "llama-3" }, "o200k medium gpt-5.5"],
  ["client codex", { tokenizer: "auto", client: "codex-mcp-client" }, "o200k high gpt-5.5"],
  ["client claude-code", { tokenizer: "auto", client: "claude-code" }, "claude medium claude-5"],
  [
    "client gemini-cli",
    { tokenizer: "auto", client: "gemini-cli-mcp-client" },
    "gemini low gemini-3",
  ],
  ["client unknown", { tokenizer: "auto", client: "Zed" }, "o200k medium gpt-5.5"],
  [
    "the model before the client",
    { tokenizer: "auto", model: "gpt-5", client: "claude-code" },
    "o200k high gpt-5",
  ],
  [
    "a model nobody knows before the client",
    { tokenizer: "auto", model: "llama-3", client: "claude-code" },
    "o200k medium gpt-5.5",
  ],
  [
    "no model name",
    { tokenizer: "auto", model: "", client: "claude-code" },
    "claude medium claude-5",
  ],
  ["a named vocabulary", { tokenizer: "o200k" }, "o200k high gpt-5.5"],
  [
    "a named vocabulary for another model",
    { tokenizer: "o200k", model: "claude-opus-5" },
    "o200k medium claude-5",
  ],
  [
    "a named vocabulary for an unknown model",
    { tokenizer: "o200k", model: "llama-3" },
    "o200k medium gpt-5.5",
  ],
  [
    "a named vocabulary for a newer model",
    { tokenizer: "cl100k", model: "gpt-5" },
    "cl100k medium gpt-5",
  ],
  ["a named scale", { tokenizer: "claude" }, "claude medium claude-5"],
  ["a named scale for another model", { tokenizer: "claude", model: "o3" }, "claude low gpt-4o"],
  ["named characters", { tokenizer: "chars4", model: "gpt-4o" }, "chars4 low gpt-4o"],
];

test.each(cases)("resolveEstimator: %s", (_what, reader, expected) => {
  const { estimator, model } = resolveEstimator(reader, forbidden);
  expect(`${estimator.id} ${estimator.confidence} ${model.family.id}`).toBe(expected);
});

test("resolveEstimator: changes nothing but the confidence", () => {
  for (const tokenizer of estimatorIds) {
    const { estimator } = resolveEstimator({ tokenizer, model: "gpt-4o" }, unitsOnly);
    const { confidence: _, ...plain } = createEstimator(tokenizer, unitsOnly);
    expect(Object.keys(estimator).toSorted()).toEqual(
      [...Object.keys(plain), "confidence"].toSorted(),
    );
    expect(estimator.count("word")).toBe(plain.count("word"));
  }
});

test("resolveEstimator: the window is a named model's, or that of the client's default model", () => {
  const auto = { tokenizer: "auto" } as const;
  expect(resolveEstimator({ ...auto, model: "gpt-4o" }, forbidden).model.windowTokens).toBe(
    128_000,
  );
  expect(resolveEstimator({ ...auto, client: "claude-code" }, forbidden).model.windowTokens).toBe(
    1_000_000,
  );
});
