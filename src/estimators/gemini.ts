import type { Estimator } from "#cost/estimator.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { byScale } from "./scaled.ts";

/** Gemini, whose vocabulary of 256k pieces is public only through its open relatives. */
export function gemini(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "gemini",
      confidence: "low",
      error:
        "1.07 × o200k, the middle of ratios from 1.05 to 1.08; the error on one text is not known",
    },
    { encoding: "o200k_base", factor: 1.07 },
    deps,
  );
}
