import { expect, test } from "bun:test";
import { groupTurns } from "#history/imports/conversation-turns.ts";
import {
  collectScales,
  makeValidationReport,
} from "#history/imports/validate/validation-report.ts";
import { validateModels } from "#history/imports/validate/validate-models.ts";
import { steadyConversation } from "../support/facts.ts";

const size = (index: number): number => 200 + 20 * index;

function report(steps: number, scale: number) {
  const sources = steadyConversation(steps, size, (index) => Math.round(scale * size(index)));
  return makeValidationReport([
    {
      client: "claude-code",
      models: validateModels(groupTurns(sources)),
      findEstimator: () => ({ id: "claude", confidence: "medium", method: "bpe-scaled" }),
    },
  ]);
}

test.each([
  [1.05, "good"],
  [1.2, "fair"],
  [1.6, "poor"],
] as const)("a scale of %f is %s", (scale, quality) => {
  const [row] = report(40, scale).models;
  expect(row?.estimation_quality).toBe(quality);
  expect(row?.scale).toBeCloseTo(scale, 2);
});

test("there is no verdict where framing is most of a step", () => {
  const sources = steadyConversation(
    40,
    (index) => 10 + index,
    (index) => 900 + 10 + index,
  );
  const { models } = makeValidationReport([
    {
      client: "codex",
      models: validateModels(groupTurns(sources)),
      findEstimator: () => ({ id: "claude", confidence: "medium", method: "bpe-scaled" }),
    },
  ]);
  expect(models[0]).toMatchObject({ estimation_quality: "unknown", framing_tokens_per_step: 900 });
  expect(collectScales({ ...makeValidationReport([]), models })).toEqual([]);
});

test("a row has the fields that are compared", () => {
  const { models, ...rest } = report(40, 1.2);
  const [row] = models;
  const estimated = Array.from({ length: 40 }, (_, index) => 200 + 20 * index);
  const sum = estimated.reduce((total, tokens) => total + tokens, 0);
  const native = estimated.reduce((total, tokens) => total + Math.round(1.2 * tokens), 0);
  expect(row).toMatchObject({
    platform: "claude-code",
    model: "m",
    estimator: "claude",
    from: "1970-01-01T00:00:00.000Z",
    to: "1970-01-01T00:00:00.400Z",
    requests: 41,
    steps: 40,
    clean_steps: 40,
    native_tokens: native,
    estimated_tokens: sum,
    difference_tokens: sum - native,
    confidence_distribution: { high: 0, medium: 40, low: 0 },
    impossible_requests: 0,
  });
  expect(rest).toEqual({
    schema_version: "1.0",
    worst_median_error: row?.median_error ?? null,
    impossible_requests: 0,
  });
});

test("too few steps give neither a verdict nor a worst error", () => {
  const { models, worst_median_error: worst } = report(3, 1.2);
  expect([models[0]?.estimation_quality, models[0]?.scale, worst]).toEqual(["unknown", null, null]);
});

test("without clients the report is empty", () => {
  expect(makeValidationReport([])).toEqual({
    schema_version: "1.0",
    models: [],
    worst_median_error: null,
    impossible_requests: 0,
  });
});
