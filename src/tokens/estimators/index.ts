import type { Estimator } from "../cost/estimator.ts";
import { chars3Point5, chars3, chars4, words } from "./characters.ts";
import { claude } from "./claude.ts";
import { type EstimatorDeps, makeVocabularyEstimator } from "./bpe.ts";
import type { EstimatorId } from "./ids.ts";
import { makeScaledEstimator } from "./scaled.ts";

const estimators = {
  o200k,
  cl100k,
  claude,
  "claude-legacy": claudeLegacy,
  gemini,
  chars4,
  "chars3.5": chars3Point5,
  chars3,
  words,
} satisfies Record<EstimatorId, (deps: EstimatorDeps) => Estimator>;

export function createEstimator(id: EstimatorId, deps: EstimatorDeps): Estimator {
  return estimators[id](deps);
}

function cl100k(deps: EstimatorDeps): Estimator {
  return makeVocabularyEstimator("cl100k", "cl100k_base", deps);
}

function o200k(deps: EstimatorDeps): Estimator {
  return makeVocabularyEstimator("o200k", "o200k_base", deps);
}

// Gemini's vocabulary of 256k tokens is known only from related open models.
function gemini(deps: EstimatorDeps): Estimator {
  return makeScaledEstimator(
    {
      id: "gemini",
      confidence: "low",
      error:
        "1.07 × o200k, from ratios between 1.05 and 1.08; the error for a single text is not known",
    },
    { encoding: "o200k_base", factor: 1.07 },
    deps,
  );
}

const textFactor = 1.18;

// Published for Claude Opus 4.6, for a list of at least one tool; see docs/notes/models.md.
const tokensPerList = 497;

// For Claude up to 4.6. Its vocabulary is smaller than o200k, and has not been public since version 3.
function claudeLegacy(deps: EstimatorDeps): Estimator {
  return makeScaledEstimator(
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
        tokensPerList,
      },
    },
    deps,
  );
}
