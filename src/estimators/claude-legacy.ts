import type { Estimator } from "#cost/estimator.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { byScale } from "./scaled.ts";

const mixedTextFactor = 1.18;

/** Tokens of the text that precedes any tools, as published for Claude Opus 4.6; see docs/notes/models.md. */
const definitionsPerList = 497;

/** Claude up to 4.6, whose vocabulary is smaller than o200k and not public for versions 3 and 4. */
export function claudeLegacy(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "claude-legacy",
      confidence: "medium",
      error: "1.18 × o200k, a mean over mixed text; the error on one text is not known",
    },
    {
      encoding: "o200k_base",
      factor: mixedTextFactor,
      definitions: { factor: mixedTextFactor, perList: definitionsPerList },
    },
    deps,
  );
}
