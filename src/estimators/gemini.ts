import type { Estimator } from "#cost/estimator.ts";
import type { EstimatorDeps } from "./deps.ts";
import { byScale } from "./scaled.ts";

/** The vocabulary of 256k tokens is public only in related open models. */
export function gemini(deps: EstimatorDeps): Estimator {
  return byScale(
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
