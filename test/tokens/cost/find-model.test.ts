import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { estimatorIds, isEstimatorId } from "#tokens/estimators/ids.ts";
import { defaultFamily, findEstimatorFamily, findModel } from "#tokens/cost/models.ts";
import { findClientModel } from "#tokens/cost/client-models.ts";

const names: readonly (readonly [
  name: string,
  family: string,
  windowTokens: number | undefined,
])[] = [
  ["gpt-3.5-turbo-0125", "gpt-4", 16_385],
  ["gpt-35-turbo", "gpt-4", 16_385],
  ["gpt-4", "gpt-4", 8_192],
  ["gpt-4-0613", "gpt-4", 8_192],
  ["gpt-4-32k-0613", "gpt-4", 32_768],
  ["gpt-4-turbo-2024-04-09", "gpt-4", 128_000],
  ["gpt-4o", "gpt-4o", 128_000],
  ["gpt-4o-mini-2024-07-18", "gpt-4o", 128_000],
  ["chatgpt-4o-latest", "gpt-4o", 128_000],
  ["gpt-4.1-nano", "gpt-4o", 1_047_576],
  ["gpt-4.5-preview", "gpt-4o", 128_000],
  ["o1", "gpt-4o", 200_000],
  ["o3-mini", "gpt-4o", 200_000],
  ["o4-mini", "gpt-4o", 200_000],
  ["gpt-5", "gpt-5", 400_000],
  ["gpt-5-2025-08-07", "gpt-5", 400_000],
  ["gpt-5-codex", "gpt-5", 400_000],
  ["gpt-5.1-codex-max", "gpt-5", 400_000],
  ["gpt-5.4", "gpt-5", 1_050_000],
  ["gpt-5.5", "gpt-5.5", 1_050_000],
  ["gpt-5-5-2026-04-23", "gpt-5.5", 1_050_000],
  ["gpt-6-astra", "gpt-5.5", 1_050_000],
  ["gpt-oss-120b", "gpt-4o", undefined],
  ["codex", "gpt-5.5", 258_400],
  ["opus", "claude-5", 1_000_000],
  ["sonnet-4-5", "claude-4.6", 200_000],
  ["Haiku", "claude-5", 1_000_000],
  ["claude-2.1", "claude-4.6", 200_000],
  ["anthropic.claude-v2:1", "claude-4.6", 200_000],
  ["claude-instant-1.2", "claude-4.6", 200_000],
  ["claude-3-opus-20240229", "claude-4.6", 200_000],
  ["claude-3-5-sonnet-20241022", "claude-4.6", 200_000],
  ["claude-sonnet-4-20250514", "claude-4.6", 200_000],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-4.6", 200_000],
  ["claude-haiku-4-5@20251001", "claude-4.6", 200_000],
  ["anthropic/claude-opus-4.6", "claude-4.6", 1_000_000],
  ["claude-opus-4-7", "claude-5", 1_000_000],
  ["claude-opus-4-8", "claude-5", 1_000_000],
  ["claude-opus-5", "claude-5", 1_000_000],
  ["Claude Opus 5.5", "claude-5", 1_000_000],
  ["claude-fable-5-1", "claude-5", 1_000_000],
  ["models/gemini-2.5-pro", "gemini-2", 1_048_576],
  ["gemini-1.5-flash-002", "gemini-2", 1_048_576],
  ["google/gemini-3-flash-preview", "gemini-3", 1_048_576],
  ["gemini-3.1-pro", "gemini-3", 1_048_576],
  ["gemini", "gemini-3", 1_048_576],
];

describe("findModel", () => {
  test.each(names)("%s is %s", (name, family, windowTokens) => {
    const model = findModel(name);
    expect([model?.family.id, model?.windowTokens]).toEqual([family, windowTokens]);
  });

  test.each(["llama-3", "", "gptx-4", "foo1", "mygpt-4o", "o10"])("%s is nobody's", (name) => {
    expect(findModel(name)).toBeUndefined();
  });

  test("any name is read, hostile and long ones too", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => void findModel(name)));
    expect(findModel(`${"-a".repeat(1_000_000)}gpt-4`)).toBeUndefined();
    expect(findModel(`gpt${"-a".repeat(1_000_000)}`)?.family.id).toBe("gpt-5.5");
  });
});

test("families: every estimator exists, a vocabulary is the estimator's", () => {
  for (const [name] of names) {
    const family = findModel(name)?.family ?? defaultFamily;
    expect(isEstimatorId(family.estimator)).toBe(true);
    expect(family.encoding?.startsWith(family.estimator) ?? true).toBe(true);
  }
});

test.each([
  ["codex-mcp-client", "gpt-5.5"],
  ["Codex", "gpt-5.5"],
  ["claude-code", "claude-5"],
  ["claude-ai", "claude-5"],
  ["gemini-cli-mcp-client-search", "gemini-3"],
])("findClientModel: %s is its maker's newest, %s", (client, family) => {
  expect(findClientModel(client)?.family.id).toBe(family);
});

test.each(["cursor-vscode", "Visual Studio Code", "my-claude", ""])(
  "findClientModel: %s reads with anybody's model",
  (client) => {
    expect(findClientModel(client)).toBeUndefined();
  },
);

test("findEstimatorFamily: the newest family of each estimator that was made for one", () => {
  const found = estimatorIds.map((id) => `${id} ${findEstimatorFamily(id)?.id ?? "none"}`);
  expect(found).toEqual([
    "o200k gpt-5.5",
    "cl100k gpt-4",
    "claude claude-5",
    "claude-legacy claude-4.6",
    "gemini gemini-3",
    "chars4 none",
    "chars3.5 none",
    "chars3 none",
    "words none",
  ]);
});

test("the window of a client is its default model's, where it is known", () => {
  const windows = ["codex-mcp-client", "gemini-cli-mcp-client", "claude-code", "claude-ai"].map(
    (client) => findClientModel(client)?.windowTokens,
  );
  expect(windows).toEqual([258_400, 1_048_576, 1_000_000, undefined]);
});
