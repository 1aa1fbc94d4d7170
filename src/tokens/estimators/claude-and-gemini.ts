import type { Estimator } from "../cost/estimator.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { makeScaledEstimator } from "./scaled.ts";

// The vocabularies of Claude and Gemini are not public: these estimators multiply the tokens of o200k by a factor.
// Most factors come from docs/notes/models.md. ADR 0014 has the factors for tool definitions in Claude 4.7 and later.

// For Claude 4.7 and later.
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
      factor: 1.55,
      jsonFactor: 1.8,
      // Anthropic adds a system prompt of 290 tokens to a request with tools (published for Claude Opus 4.8).
      definitions: { structureFactor: 1.86, descriptionsFactor: 1.6, tokensPerList: 290 },
    },
    deps,
  );
}

const claudeLegacyFactor = 1.18;

// For Claude up to 4.6. A smaller vocabulary takes more tokens for a text. Claude's last public vocabulary, from before
// Claude 3, is smaller than o200k. So a factor above 1 is plausible.
export function claudeLegacy(deps: EstimatorDeps): Estimator {
  return makeScaledEstimator(
    {
      id: "claude-legacy",
      confidence: "medium",
      error: "1.18 × o200k, the mean for mixed text; the error for a single text is not known",
    },
    {
      encoding: "o200k_base",
      factor: claudeLegacyFactor,
      definitions: {
        structureFactor: claudeLegacyFactor,
        descriptionsFactor: claudeLegacyFactor,
        // Published for Claude Opus 4.6.
        tokensPerList: 497,
      },
    },
    deps,
  );
}

export function gemini(deps: EstimatorDeps): Estimator {
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
