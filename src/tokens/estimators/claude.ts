import type { Estimator } from "../cost/estimator.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { makeScaledEstimator } from "./scaled.ts";

// For text other than JSON and definitions. No counts of answers are published; docs/notes/models.md has the ratios.
const textFactor = 1.55;

const jsonFactor = 1.8;

// ADR 0017 has the method and data of the fit.
const structureFactor = 1.86;
const descriptionsFactor = 1.6;

// Published for Claude Opus 4.8, for a list of at least one tool; see docs/notes/models.md.
const tokensPerList = 290;

// For Claude 4.7 and later, whose vocabulary is not public.
export function claude(deps: EstimatorDeps): Estimator {
  return makeScaledEstimator(
    {
      id: "claude",
      confidence: "medium",
      error:
        "definitions ±3 % on average and 9 % at worst, measured with ten servers; other text −20 to +30 %, depending on its kind",
    },
    {
      encoding: "o200k_base",
      factor: textFactor,
      jsonFactor,
      definitions: {
        structure: structureFactor,
        descriptions: descriptionsFactor,
        tokensPerList,
      },
    },
    deps,
  );
}
