import type { Estimator } from "#cost/estimator.ts";
import type { EstimatorDeps } from "./deps.ts";
import { byScale } from "./scaled.ts";

/** The mean for mixed text, definitions included. */
const textFactor = 1.18;

/** Tokens of the text before any tools, as published for Claude Opus 4.6; see docs/notes/models.md. */
const definitionsPerList = 497;

/** Up to 4.6: the vocabulary is smaller than o200k, and not public for versions 3 and 4. */
export function claudeLegacy(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "claude-legacy",
      confidence: "medium",
      error: "1.18 × o200k, the mean for mixed text; the error for a single text is not known",
    },
    {
      encoding: "o200k_base",
      factor: textFactor,
      definitions: {
        structure: textFactor,
        descriptions: textFactor,
        perList: definitionsPerList,
      },
    },
    deps,
  );
}
