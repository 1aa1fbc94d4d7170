import { expect, test } from "bun:test";
import {
  collectScales,
  type ValidatedClient,
  makeValidationReport,
} from "#history/imports/validate/validation-report.ts";
import { groupTurns } from "#history/imports/conversation-turns.ts";
import { validateModels } from "#history/imports/validate/validate-models.ts";
import { steadyConversation } from "../support/facts.ts";

const size = (index: number): number => 200 + 20 * index;

function measured(
  { steps = 40, scale = 1.2, model = "m" as string | null },
  method: "bpe" | "bpe-scaled" = "bpe-scaled",
) {
  const sources = steadyConversation(steps, size, (index) => Math.round(scale * size(index)));
  const requests = sources.requests.map((request) => ({ ...request, model }));
  const client: ValidatedClient = {
    client: "claude-code",
    models: validateModels(groupTurns({ ...sources, requests })),
    findEstimator: () => ({ id: "claude", confidence: "medium", method }),
  };
  return collectScales(makeValidationReport([client]));
}

test("a model with a verdict has its scale and the error after scaling", () => {
  expect(measured({})).toEqual([
    {
      client: "claude-code",
      model: "m",
      estimator: "claude",
      scale: 1.2,
      clean_steps: 40,
      median_error: expect.any(Number),
    },
  ]);
  expect(measured({})[0]?.median_error).toBeLessThan(0.01);
});

test.each([
  ["too few steps", { steps: 20 }, "bpe-scaled"],
  ["no name", { model: null }, "bpe-scaled"],
  ["a scale that is too large", { scale: 4.5 }, "bpe-scaled"],
  ["a scale that is too small", { scale: 0.2 }, "bpe-scaled"],
  ["its own vocabulary", {}, "bpe"],
] as const)("a model with %s has none", (_what, facts, method) => {
  expect(measured(facts, method)).toEqual([]);
});
