import { expect, test } from "bun:test";
import { describeUnknownModelOrClient } from "#commands/unknown-model-or-client.ts";
import { clientExamples, findKnownProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { findModel, modelExamples } from "#tokens/cost/models.ts";

test.each([
  [{ model: "claude-opus-5" }, []],
  [{ model: "opus" }, []],
  [{ "as-client": "Codex" }, []],
  [{}, []],
  [
    { model: "gemni-3-pro" },
    [
      'Unknown model "gemni-3-pro" (did you mean gemini-3-pro?); counting with o200k and a window of 200,000 tokens',
    ],
  ],
  [
    { model: "llama-3", tokenizer: "cl100k", window: "8000" },
    ['Unknown model "llama-3"; counting with cl100k and a window of 8,000 tokens'],
  ],
  [
    { model: "gpt-99" },
    [
      'Model "gpt-99" is newer than all models that mcp-meter knows (did you mean gpt-5?); counting with o200k and a window of 1,050,000 tokens',
    ],
  ],
  [{ model: "gpt-6-sol" }, []],
  [{ model: "claude-opus-5-5-20270101" }, []],
  [
    { "as-client": "claud-code" },
    [
      'Unknown client "claud-code" (did you mean claude-code?); counting only the content of results, which most clients show to the model',
    ],
  ],
  [
    { "as-client": "Gemini" },
    [
      'Unknown client "Gemini" (did you mean gemini-cli-mcp-client?); counting only the content of results, which most clients show to the model',
    ],
  ],
  [
    { "as-client": "copilot" },
    [
      'Unknown client "copilot" (did you mean copilot-cli?); counting only the content of results, which most clients show to the model',
    ],
  ],
  [
    { "as-client": "c" },
    [
      'Unknown client "c"; counting only the content of results, which most clients show to the model',
    ],
  ],
])("unknownReader(%j)", (options, sentences) => {
  expect(describeUnknownModelOrClient(options)).toEqual(sentences);
});

test("every example is known", () => {
  expect(modelExamples.filter((name) => !findModel(name))).toEqual([]);
  expect(clientExamples.filter((name) => !findKnownProfile(name))).toEqual([]);
});
