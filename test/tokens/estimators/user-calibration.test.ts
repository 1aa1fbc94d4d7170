import { expect, test } from "bun:test";
import { type CalibratedModel, findCalibration } from "#tokens/estimators/user-calibration.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { unitsOnly } from "./support/counters.ts";

const opus: CalibratedModel = {
  client: "claude-code",
  model: "claude-opus-4-8",
  estimator: "claude",
  scale: 1.04,
  clean_steps: 312,
  median_error: 0.062,
};
const sonnet = { ...opus, model: "claude-sonnet-5", scale: 0.9, clean_steps: 40 };
const older = { ...opus, model: "claude-sonnet-4-5", estimator: "claude-legacy", scale: 1.2 };
const calibration = {
  schema_version: "1.0" as const,
  written: "2026-11-22T00:00:00.000Z",
  models: [sonnet, opus, older],
};

test.each([
  ["its model", { estimator: "claude", model: "claude-sonnet-5", client: "codex" }, 0.9],
  ["the client with the most steps", { estimator: "claude", client: "Claude-Code/2.1" }, 1.04],
  ["the estimator", { estimator: "claude-legacy", client: "claude-code" }, 1.2],
  ["another model", { estimator: "claude", model: "claude-x", client: "claude-code" }, undefined],
  ["another client", { estimator: "claude", client: "codex" }, undefined],
  ["another estimator", { estimator: "o200k", client: "claude-code" }, undefined],
  ["neither model nor client", { estimator: "claude", model: "" }, undefined],
])("an entry is found by %s", (_what, reader, scale) => {
  expect(findCalibration(calibration, reader)?.scale).toBe(scale);
});

const deps = unitsOnly;

test("a scale corrects the factors of text and not those of definitions", () => {
  const choice = { tokenizer: "auto", client: "claude-code" } as const;
  const plain = resolveEstimator(choice, deps).estimator;
  const { estimator } = resolveEstimator({ ...choice, calibration }, deps);
  // 1.55 × 1.04 and 1.8 × 1.04.
  expect(estimator.encoding).toBe("o200k_base*1.612, JSON *1.872");
  expect(estimator.definitions?.encoding).toBe(plain.definitions?.encoding ?? "");
  expect([estimator.id, estimator.confidence]).toEqual([plain.id, plain.confidence]);
  expect(estimator.error).toBe(
    "scaled by 1.04, as measured with 312 model requests in the logs of claude-code; median error 6 %",
  );
});

test("an estimator with the model's own vocabulary is never scaled", () => {
  const wrong = { ...calibration, models: [{ ...opus, estimator: "o200k", client: "codex" }] };
  const choice = { tokenizer: "auto", client: "codex-mcp-client" } as const;
  const plain = resolveEstimator(choice, deps).estimator;
  const { estimator } = resolveEstimator({ ...choice, calibration: wrong }, deps);
  expect([estimator.encoding, estimator.error]).toEqual([plain.encoding, plain.error]);
});

test("no factor falls below one", () => {
  const low = { ...calibration, models: [{ ...opus, scale: 0.25 }] };
  const { estimator } = resolveEstimator(
    { tokenizer: "claude", client: "claude-code", calibration: low },
    deps,
  );
  expect(estimator.encoding).toBe("o200k_base*1");
});
